package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
)

// journal is the shop's memory: a file to which one line of JSON is appended for everything that
// happens. A shop with a database does not need this: a transaction does the same.
type journal struct {
	file *os.File

	mu      sync.Mutex
	written *sync.Cond
	waiting []byte // lines that are not on disk yet
	writing bool
	// How many lines were appended, and how many of them are on disk.
	appended, durable int
}

// openJournal reads the journal of the last run and applies its entries in their order. Only one process
// may have a journal open.
func openJournal(path string, apply func(entry)) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for lines := json.NewDecoder(bytes.NewReader(whole)); lines.More(); {
		var e entry
		if err := lines.Decode(&e); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		apply(e)
	}
	// The shop was killed while it wrote the last line: nobody was told that it is there.
	if err := file.Truncate(int64(len(whole))); err != nil {
		return nil, err
	}
	j := &journal{file: file}
	j.written = sync.NewCond(&j.mu)
	return j, nil
}

// append takes an entry. It is on disk when sync returns.
func (j *journal) append(e entry) {
	line, err := json.Marshal(e)
	if err != nil {
		panic(err) // an entry is text and numbers
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting = append(append(j.waiting, line...), '\n')
	j.appended++
}

// write writes lines to the disk.
func (j *journal) write(lines []byte) {
	_, err := j.file.Write(lines)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		// What is in memory is no longer what is on disk: only a new start makes them equal.
		log.Fatalf("The journal cannot be written: %v", err)
	}
}

// sync returns when all that was appended is on disk, and others may be told. One of those that wait
// writes for all.
func (j *journal) sync() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for until := j.appended; j.durable < until; {
		if j.writing {
			j.written.Wait()
			continue
		}
		lines, last := j.waiting, j.appended
		j.waiting, j.writing = nil, true
		j.mu.Unlock()
		j.write(lines)
		j.mu.Lock()
		j.durable, j.writing = last, false
		j.written.Broadcast()
	}
}
