package ui

import "sort"

// seqs is an ascending list of frame numbers that only grows. It is kept in
// pieces and four bytes a number: adding one costs the same however many there
// are, and what a million cost does not have to be copied to make room. The log
// would need 200 GB of memory before a number does not fit.
type seqs struct {
	pieces []*[seqsPiece]uint32
	n      int
}

const seqsPiece = 8192

func (s *seqs) len() int { return s.n }

func (s *seqs) at(i int) uint64 { return uint64(s.pieces[i/seqsPiece][i%seqsPiece]) }

func (s *seqs) add(seq uint64) {
	if s.n%seqsPiece == 0 {
		s.pieces = append(s.pieces, new([seqsPiece]uint32))
	}
	s.pieces[s.n/seqsPiece][s.n%seqsPiece] = uint32(seq)
	s.n++
}

// find returns the place of a number, or where it would be.
func (s *seqs) find(seq uint64) (i int, ok bool) {
	i = sort.Search(s.n, func(i int) bool { return s.at(i) >= seq })
	return i, i < s.n && s.at(i) == seq
}
