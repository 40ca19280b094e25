package wire

import (
	"net"
	"syscall"
	"testing"
	"time"
)

func TestConnectionsAreKeptAlive(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s, err := DialStream(t.Context(), "tcp", l.Addr().String(), StreamOptions{Grace: time.Nanosecond}, &counter{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := s.conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var on, idle int
	err = raw.Control(func(fd uintptr) {
		on, _ = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_KEEPALIVE)
		idle, _ = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE)
	})
	if err != nil || on == 0 || idle != 60 {
		t.Errorf("keep-alive %d, after %d s, %v", on, idle, err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
