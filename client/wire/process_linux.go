package wire

import (
	"bytes"
	"os"
	"strconv"
)

// anyRuns reports whether a process of the group does more than wait to be
// reaped by whoever inherited it. In many containers nobody does that, and the
// group would seem to live for ever.
func anyRuns(group int) bool {
	proc, err := os.Open("/proc")
	if err != nil {
		return true
	}
	defer func() { _ = proc.Close() }()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return true
	}
	want := []byte(strconv.Itoa(group))
	found := false
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state parent group …; the name may have anything in it.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 3 || !bytes.Equal(fields[2], want) {
			continue
		}
		found = true
		if state := fields[0][0]; state != 'Z' && state != 'X' {
			return true
		}
	}
	return !found // processes that /proc hides from us
}
