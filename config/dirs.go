package config

import (
	"errors"
	"os"
	"runtime"
	"strings"
)

// Dir is where parley's own settings are: $XDG_CONFIG_HOME/parley when
// that variable is an absolute path, else the usual place of the system. It
// need not exist.
func Dir() (string, error) {
	return dir(runtime.GOOS, os.Getenv, "XDG_CONFIG_HOME", ".config")
}

// StateDir is where parley keeps what it remembers: $XDG_STATE_HOME/parley when
// that variable is an absolute path, else the usual place of the system. It
// need not exist.
func StateDir() (string, error) {
	return dir(runtime.GOOS, os.Getenv, "XDG_STATE_HOME", ".local/state")
}

// SessionsDir is where session files are, inside [StateDir].
func SessionsDir() (string, error) {
	state, err := StateDir()
	if err != nil {
		return "", err
	}
	return state + string(os.PathSeparator) + "sessions", nil
}

// dir is the rule for all systems. usual is the place below the home directory
// where there is no other custom.
func dir(goos string, getenv func(string) string, xdg, usual string) (string, error) {
	if base := getenv(xdg); absolute(goos, base) {
		return join(goos, base, "parley"), nil
	}
	switch goos {
	case "windows":
		if base := getenv("LocalAppData"); base != "" {
			return join(goos, base, "parley"), nil
		}
		if home := getenv("USERPROFILE"); home != "" {
			return join(goos, home, "AppData", "Local", "parley"), nil
		}
		return "", errors.New("neither LocalAppData nor USERPROFILE is set")
	case "darwin", "ios":
		usual = "Library/Application Support"
	}
	home := getenv("HOME")
	if home == "" {
		return "", errors.New("neither HOME nor " + xdg + " is set")
	}
	return join(goos, home, usual, "parley"), nil
}

func absolute(goos, path string) bool {
	if goos == "windows" {
		drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
		return drive || strings.HasPrefix(path, `\\`)
	}
	return strings.HasPrefix(path, "/")
}

func join(goos string, parts ...string) string {
	separator := "/"
	if goos == "windows" {
		separator = `\`
	}
	parts[0] = strings.TrimRight(parts[0], `/`+separator)
	return strings.Join(parts, separator)
}
