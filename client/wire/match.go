package wire

// Ref names a message: a frame, or the i-th member (from 1) of a batch frame.
type Ref struct {
	Seq    uint64
	Member int32 // 0: the frame itself
}

// Pairing says how a message relates to the requests before it.
type Pairing uint8

// The pairings.
const (
	Unpaired  Pairing = iota // no response, or nothing to say
	Opened                   // a request, now open
	Reopened                 // a request whose id was in flight already; it gets the answer
	Answered                 // the response to an open request
	Second                   // a response to a request that has its answer
	OtherType                // a response whose id equals an open request's but for its JSON type
	Orphan                   // a response to nothing
)

// Match is what [Matcher.Apply] finds.
type Match struct {
	Pairing Pairing
	Request Ref // the request concerned; zero for Unpaired and Orphan
}
