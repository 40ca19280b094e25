package ui

import (
	"strings"
	"testing"
	"time"
)

func TestTheArgumentsAreEditedAsJSON(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.open("get_forecast")
		s.edit = "{\n  \"latitude\": 1.50, // half way\n  \"longitude\": 2,\n}\n"
		s.press("esc", "e")
		s.want("the form was filled from the editor; ctrl+s sends", `{"latitude":1.50,"longitude":2}`)
		s.press("enter")
		s.edit = `{"latitude": 3`
		s.press("ctrl+o")
		s.want(`{"latitude":1.50,"longitude":2}`, "✗ ")
		s.edit = `{"latitude":-1}`
		s.press("ctrl+o", "ctrl+s", "ctrl+s")
		s.pass(time.Second)
		if !strings.Contains(s.last(), `"arguments":{"latitude":-1}`) {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestAnEditorThatChangesNothingChangesNothing(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.echo("precious")
		s.press("ctrl+o")
		s.want(`{"message":"precious"}`)
		s.wantNot("the form was filled")
	})
}

func TestTheConsolesLineIsEdited(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.write(`{"half":`)
		s.edit = "{\n  \"jsonrpc\": \"2.0\",\n  \"method\": \"notifications/x\"\n}\n"
		s.press("ctrl+o")
		s.want(`› {"jsonrpc":"2.0","method":"notifications/x"}`)
	})
}

func TestAFrameThatWeSentIsSentAgainAsItWasEdited(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("4", "k", "enter") // the request of prompts/list
		s.want("→ 4 prompts/list")
		s.edit = `{"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{"name":"small_talk"}}`
		s.press("e")
		s.pass(100 * time.Millisecond)
		if want := `{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"small_talk"}}`; s.last() != want {
			t.Errorf("sent %s", s.last())
		}
		before := len(s.sent(0))
		s.edit = ""
		s.press("e") // left as it was
		s.pass(100 * time.Millisecond)
		if len(s.sent(before)) > 0 {
			t.Errorf("sent though nothing was changed: %s", s.last())
		}
	})
}

func TestAFrameThatCameIsOnlyRead(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		before := len(s.sent(0))
		s.press("4", "enter")
		s.edit = "something else"
		s.press("e")
		s.pass(100 * time.Millisecond)
		if len(s.sent(before)) > 0 {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestAResultIsOpenedInTheEditor(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.call("echo")
		s.pass(time.Second)
		before := len(s.sent(0))
		s.edit = "something else"
		s.press("e")
		s.want("Temperature: 64°F")
		if len(s.sent(before)) > 0 {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestAMissingEditorIsSaid(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.echo("precious")
		s.m.opt.Editor = func(file string) (string, []string) { return "no-such-editor", []string{file} }
		s.press("ctrl+o")
		s.want("the editor no-such-editor is not installed · set VISUAL or EDITOR", "precious")
	})
}
