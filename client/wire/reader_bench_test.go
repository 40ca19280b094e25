package wire

import (
	"bufio"
	"io"
	"testing"
	"time"
)

// notification is a line of 149 bytes with its newline.
const notification = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tok1","progress":1234,"total":200000,"message":"step 1234 of 200000"}}` + "\n"

// BenchmarkReader compares 200,000 lines read into frames with a bare reader
// of lines over the same bytes.
func BenchmarkReader(b *testing.B) {
	const n = 200_000
	b.Run("bufio", func(b *testing.B) {
		b.SetBytes(n * int64(len(notification)))
		for b.Loop() {
			count := countLines(repeat(notification, n))
			if count != n {
				b.Fatal(count)
			}
		}
	})
	for name, kind := range map[string]Kind{"messages": Message, "stderr": Stderr} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(n * int64(len(notification)))
			b.ReportAllocs()
			for b.Loop() {
				c := &counter{}
				l := &lineReader{sink: c, now: time.Now, kind: kind}
				if err := l.run(repeat(notification, n)); err != nil || c.frames != n {
					b.Fatal(c.frames, err)
				}
			}
		})
	}
}

func countLines(r io.Reader) (n int) {
	lines := bufio.NewReaderSize(r, readSize)
	for {
		if _, err := lines.ReadSlice('\n'); err != nil {
			return n
		}
		n++
	}
}

// BenchmarkReaderLongLine is one message of 100 MB.
func BenchmarkReaderLongLine(b *testing.B) {
	const size = 100 << 20
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		l := &lineReader{sink: &counter{}, now: time.Now, kind: Message}
		if err := l.run(hugeMessage(size)); err != nil {
			b.Fatal(err)
		}
	}
}
