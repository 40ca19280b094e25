package ui

import "testing"

func TestSeqs(t *testing.T) {
	var s seqs
	const n = 3*seqsPiece + 5
	for i := range n {
		s.add(uint64(3*i + 1))
	}
	if s.len() != n {
		t.Fatalf("%d numbers, want %d", s.len(), n)
	}
	for i := range n {
		if s.at(i) != uint64(3*i+1) {
			t.Fatalf("number %d is %d", i, s.at(i))
		}
		for off, want := range []bool{true, false, false} {
			at, ok := s.find(s.at(i) + uint64(off))
			if ok != want || ok && at != i || !ok && at != i+1 {
				t.Fatalf("%d is found at %d (%v)", s.at(i)+uint64(off), at, ok)
			}
		}
	}
	if at, ok := s.find(0); at != 0 || ok {
		t.Errorf("0 is found at %d (%v)", at, ok)
	}
	if at, ok := new(seqs).find(7); at != 0 || ok {
		t.Errorf("an empty list has 7 at %d (%v)", at, ok)
	}
}
