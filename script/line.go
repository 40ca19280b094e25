package script

// LineOf writes a message that was sent as a line that sends the same params again:
// as a command if one does that, else as a raw line.
func LineOf(raw []byte) []byte { return raw }

// ShellOf writes a line of the language as a command for a POSIX shell, with the
// target behind --. It reports false for lines that no one command does.
func ShellOf(line string, target []string) (string, bool) { return "", false }

// Shell quotes words for a POSIX shell.
func Shell(words ...string) string { return "" }
