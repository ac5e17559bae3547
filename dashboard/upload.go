package dashboard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/rs/zerolog"

	"daftar/dashboard/view"
)

// Limits of uploads. A file is received before its request takes a slot that others wait for, so
// that a slow client blocks nobody. At most uploadsInAll statements are on the disk.
const (
	uploadsInAll  = 16
	uploadsOfEach = 2 // of one organisation
	uploadLimit   = 2 * time.Minute
	uploadGrace   = 5 * time.Second // before the rate is checked
	uploadRate    = 10_000          // bytes a second on average after that
	slotLimit     = 20 * time.Second
)

// pacedBody is the body of an upload. Read fails with os.ErrDeadlineExceeded if it arrives too slowly.
type pacedBody struct {
	io.ReadCloser

	control    interface{ SetReadDeadline(time.Time) error }
	begun, end time.Time
	received   int64
	slow       bool // it was too slow
}

// Read implements io.Reader. The deadline moves on with what arrives.
func (b *pacedBody) Read(p []byte) (int, error) {
	deadline := b.begun.Add(uploadGrace + time.Duration(b.received)*(time.Second/uploadRate))
	if deadline.After(b.end) {
		deadline = b.end
	}
	// The server's own deadline is for a page. If it cannot be set, there is none.
	_ = b.control.SetReadDeadline(deadline)
	n, err := b.ReadCloser.Read(p)
	b.received += int64(n)
	b.slow = b.slow || errors.Is(err, os.ErrDeadlineExceeded)
	return n, err
}

// finish reads the rest, because a browser that is still sending does not read the answer. After a
// complete body the deadline is removed, or it would end the request while it is being answered.
// After an incomplete one it stays and ends the connection.
func (b *pacedBody) finish() {
	if _, err := io.Copy(io.Discard, b); err == nil {
		_ = b.control.SetReadDeadline(time.Time{})
	}
}

// upload receives the form of a request by calling read, and gives the work after it a new time limit. If
// a slot for the file was free, it is held until end is called; otherwise read must skip the file. The
// caller must call end in every case.
func (d *Dashboard) upload(
	req *request, after time.Duration, read func(slot bool) (view.FormErrors, error),
) (end func(), wrong view.FormErrors, err error) {
	now := time.Now()
	body := &pacedBody{
		ReadCloser: req.r.Body,
		control:    http.NewResponseController(req.w),
		begun:      now,
		end:        now.Add(uploadLimit),
	}
	req.r.Body = body
	release, free := d.uploading.take(req.ctx, req.organization.ID)
	wrong, err = read(free)
	body.finish()
	if body.slow { // the server has canceled the request, but the client waits for the answer
		req.r = req.r.WithContext(context.WithoutCancel(req.r.Context()))
	}
	var cancel context.CancelFunc
	req.ctx, cancel = req.takeLonger(after)
	return func() {
		cancel()
		if free {
			release()
		}
	}, wrong, err
}

// received is a file that arrived completely. It has no name on the disk, so it is gone when it is
// closed, or when the process ends.
type received struct {
	io.ReadSeeker // an io.ReaderAt, too

	close func() error
}

// receive stores a part of a form in a temporary file, or in memory if there can be none, as in a
// read-only container. broken is the error of the upload, err that of the file.
func receive(part io.Reader, log zerolog.Logger) (file *received, broken, err error) {
	from := &source{Reader: part}
	temporary, err := os.CreateTemp("", "daftar-upload-")
	if err != nil {
		log.Warn().Err(err).Msg("uploaded file is kept in memory")
		content, broken := io.ReadAll(from)
		return &received{bytes.NewReader(content), func() error { return nil }}, broken, nil
	}
	err = os.Remove(temporary.Name())
	if err == nil {
		_, err = io.Copy(temporary, from)
	}
	if err == nil {
		_, err = temporary.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = temporary.Close() // nobody reads it
		if from.broken != nil {
			return nil, from.broken, nil
		}
		return nil, nil, err
	}
	return &received{temporary, temporary.Close}, nil, nil
}

// source remembers the error of reading, to tell it from an error of writing.
type source struct {
	io.Reader

	broken error
}

// Read implements io.Reader.
func (s *source) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		s.broken = err
	}
	return n, err
}
