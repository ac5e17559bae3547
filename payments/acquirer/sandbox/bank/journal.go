package bank

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
)

// journal is the append-only file from which the books are restored: one JSON record per
// line, readable by its owner only, because return URLs may have a checkout's secret.
type journal struct {
	file *os.File
	// broken is the first error of a write. The file may end with a torn line then, and a
	// line after it would be lost too, so nothing is written until the next start has cut
	// it off.
	broken error
}

// openJournal replays the file into apply. A last line without its newline was never
// acknowledged: it is cut off. Any other line that cannot be read is an error, because it
// may record money.
func openJournal(path string, apply func(record) error) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file}
	if err := j.replay(apply); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *journal) replay(apply func(record) error) error {
	lines := bufio.NewReader(j.file)
	var whole int64 // bytes in complete lines
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return j.cut(whole)
		}
		if err != nil {
			return err
		}
		var rec record
		if err := json.Unmarshal(line, &rec); err != nil {
			return fmt.Errorf("line %d is damaged", number)
		}
		if err := apply(rec); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		whole += int64(len(line))
	}
}

// cut removes what follows the complete lines; the next line is written there.
func (j *journal) cut(whole int64) error {
	if err := j.file.Truncate(whole); err != nil {
		return err
	}
	_, err := j.file.Seek(whole, io.SeekStart)
	return err
}

// append adds one line. After an error nothing is appended any more.
func (j *journal) append(rec record) error {
	if j.broken != nil {
		return j.broken
	}
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		j.broken = err
		return err
	}
	return nil
}

func (j *journal) close() error {
	if err := j.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
