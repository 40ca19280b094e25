package script

import (
	"cmp"
	"math/big"
	"testing"
	"testing/quick"
)

func TestCompareNumbers(t *testing.T) {
	order := []string{"-1e400", "-10", "-9.99", "-1e-400", "0", "1e-400", "0.1", "1", "1.5", "2", "9.99", "10",
		"9007199254740992", "9007199254740993", "9007199254740993.5", "1e17", "1e399", "1e400", "1e99999999999999999999"}
	for i, a := range order {
		for j, b := range order {
			if got := compareNumbers([]byte(a), []byte(b)); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
	for _, same := range [][2]string{{"1", "1.0"}, {"100", "1e2"}, {"0", "-0.0e9"}, {"0.001", "1e-3"}, {"-1.50", "-15e-1"}, {"10", "1E+1"}} {
		if compareNumbers([]byte(same[0]), []byte(same[1])) != 0 {
			t.Errorf("%s and %s differ", same[0], same[1])
		}
	}
}

func TestCompareNumbersAsFractions(t *testing.T) {
	err := quick.Check(func(a, b int64, x, y uint8) bool {
		left, right := new(big.Float).SetInt64(a), new(big.Float).SetInt64(b)
		p := left.Quo(left, big.NewFloat(float64(uint64(1)<<(x%40)))).Text('f', 60)
		q := right.Quo(right, big.NewFloat(float64(uint64(1)<<(y%40)))).Text('e', 60)
		r, _ := new(big.Rat).SetString(p)
		s, _ := new(big.Rat).SetString(q)
		return compareNumbers([]byte(p), []byte(q)) == r.Cmp(s)
	}, nil)
	if err != nil {
		t.Error(err)
	}
}
