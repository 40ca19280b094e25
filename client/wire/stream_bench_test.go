package wire_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"parley/client/wire"
)

// pairs is how many requests a turn of the benchmark sends, each after the answer to
// the one before.
const pairs = 10_000

// arrival is a sink that numbers frames and tells of received messages.
type arrival struct {
	seq  uint64
	come chan struct{}
}

func (a *arrival) Append(frames []wire.Frame) uint64 {
	first := a.seq + 1
	for i := range frames {
		a.seq++
		frames[i].Seq = a.seq
		if frames[i].Dir == wire.In && frames[i].Kind == wire.Message {
			a.come <- struct{}{}
		}
	}
	return first
}

// answers serves every connection with an answer a line.
func answers(b *testing.B, network, address string) string {
	l, err := net.Listen(network, address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				line := []byte(result + "\n")
				for r := bufio.NewReader(conn); ; {
					if _, err := r.ReadSlice('\n'); err != nil {
						return
					}
					if _, err := conn.Write(line); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// BenchmarkPairsOverSockets compares request and answer, one after the other, over a
// connection with the same over a bare one.
func BenchmarkPairsOverSockets(b *testing.B) {
	for _, network := range []string{wire.TransportTCP, wire.TransportUnix} {
		address := "127.0.0.1:0"
		if network == wire.TransportUnix {
			address = b.TempDir() + "/s"
		}
		address = answers(b, network, address)
		b.Run(network+"/bare", func(b *testing.B) {
			conn, err := net.Dial(network, address)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			r, line := bufio.NewReader(conn), []byte(request+"\n")
			ask(b, func() error {
				if _, err := conn.Write(line); err != nil {
					return err
				}
				_, err := r.ReadSlice('\n')
				return err
			})
		})
		b.Run(network+"/wire", func(b *testing.B) {
			a := &arrival{come: make(chan struct{}, 1)}
			conn, err := wire.DialStream(b.Context(), network, address, wire.StreamOptions{}, a)
			if err != nil {
				b.Fatal(err)
			}
			talk(b, conn, a)
		})
	}
}

func BenchmarkPairsOverWebSockets(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		for err == nil {
			if _, _, err = conn.Read(r.Context()); err == nil {
				err = conn.Write(r.Context(), websocket.MessageText, []byte(result))
			}
		}
	}))
	b.Cleanup(s.Close)
	url := "ws" + strings.TrimPrefix(s.URL, "http")
	b.Run("bare", func(b *testing.B) {
		conn, _, err := websocket.Dial(b.Context(), url, nil) //nolint:bodyclose // the library closes it
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = conn.CloseNow() }()
		ask(b, func() error {
			if err := conn.Write(context.Background(), websocket.MessageText, []byte(request)); err != nil {
				return err
			}
			_, _, err := conn.Read(context.Background())
			return err
		})
	})
	b.Run("wire", func(b *testing.B) {
		a := &arrival{come: make(chan struct{}, 1)}
		conn, err := wire.DialWebSocket(b.Context(), url, wire.WebSocketOptions{}, a)
		if err != nil {
			b.Fatal(err)
		}
		talk(b, conn, a)
	})
}

func ask(b *testing.B, once func() error) {
	b.ReportAllocs()
	for b.Loop() {
		for range pairs {
			if err := once(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func talk(b *testing.B, conn connection, a *arrival) {
	raw := []byte(request)
	ask(b, func() error {
		_, err := conn.Send(raw, wire.ByScript, 0)
		<-a.come
		return err
	})
	_ = conn.Close(context.Background())
}
