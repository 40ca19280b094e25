package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// keeping says that what a run leaves behind is seen.
const keeping = true

// keep runs a command below a process that adopts orphans, so that everything
// the command leaves behind is seen, and ended. It reports on descriptor 3.
func keep(argv []string) int {
	syscall.CloseOnExec(3)
	k := watch(argv)
	if err := json.NewEncoder(os.NewFile(3, "report")).Encode(k); err != nil {
		return 1
	}
	return 0
}

func watch(argv []string) (k kept) {
	k.Code = -1
	if os.Getenv(envAlone) != "" {
		if err := loopbackUp(); err != nil {
			k.Problem = "bringing lo up: " + err.Error()
			return k
		}
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		k.Problem = "becoming a subreaper: " + err.Error()
		return k
	}
	defer endDescendants()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = without(os.Environ(), envRole, envAlone)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		k.Problem = err.Error()
		return k
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	sample := time.NewTicker(2 * time.Millisecond)
	defer sample.Stop()
	for {
		select {
		case err := <-ended:
			k.Wall, k.Code = time.Since(start), cmd.ProcessState.ExitCode()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				k.Problem = err.Error()
			}
			k.Left = lingering()
			return k
		case <-sample.C:
			k.Peak = max(k.Peak, highWater(cmd.Process.Pid))
		case <-stop:
			k.Wall, k.Problem, k.Left = time.Since(start), "it took too long", names(descendants())
			endDescendants()
			if err := <-ended; err != nil {
				k.Problem += ", " + err.Error()
			}
			return k
		}
	}
}

// lingering waits a moment for what is on its way out, since a killed process
// takes a little to go, and names what stays.
func lingering() []string {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(300 * time.Millisecond); ; {
		left := descendants()
		if len(left) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-deadline:
			return names(left)
		}
	}
}

func endDescendants() {
	for _, pid := range descendants() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// descendants lists the living processes below this one.
func descendants() []int {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if parent := parentOf(pid); parent != 0 {
			children[parent] = append(children[parent], pid)
		}
	}
	var all []int
	for todo := []int{os.Getpid()}; len(todo) > 0; {
		next := children[todo[0]]
		todo = append(todo[1:], next...)
		all = append(all, next...)
	}
	return all
}

// parentOf returns the parent of a living process, 0 of any other.
func parentOf(pid int) int {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// pid (name) state parent …; the name may hold anything.
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	if len(fields) < 2 || fields[0] == "Z" {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// alive says whether a process is there and did not end.
func alive(pid int) bool { return parentOf(pid) != 0 }

// names gives the command lines of processes.
func names(pids []int) []string {
	var all []string
	for _, pid := range pids {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if err != nil {
			continue
		}
		all = append(all, strconv.Itoa(pid)+" "+strings.TrimSpace(strings.ReplaceAll(string(raw), "\x00", " ")))
	}
	return all
}

// highWater is the most memory a process had resident so far, in bytes.
func highWater(pid int) int64 {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(raw), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib * 1024
}

// loopbackUp gives a fresh network namespace its loopback interface.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// apart are the ways to start a process without a network, the best first.
func apart() []*syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if os.Getuid() == 0 {
		return []*syscall.SysProcAttr{{Cloneflags: syscall.CLONE_NEWNET}, attr}
	}
	return []*syscall.SysProcAttr{attr}
}
