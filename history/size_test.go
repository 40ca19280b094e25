package history

import (
	"testing"
	"unsafe"
)

// A frame costs an entry; a frame that takes part in an exchange also half an
// exchange and half an answer. The budget for both is 80 bytes, with what the
// pairing of ids needs.
func TestSizes(t *testing.T) {
	if n := unsafe.Sizeof(entry{}); n != 48 {
		t.Errorf("an entry has %d bytes", n)
	}
	if n := unsafe.Sizeof(exchange{}) + unsafe.Sizeof(answer{}); n > 40 {
		t.Errorf("an exchange has %d bytes", n)
	}
}
