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

// What uploads may take. A file is received before anything that others wait for, so that a slow
// sender keeps nobody waiting. On the disk are uploadsInAll statements at most.
const (
	uploadsInAll  = 16
	uploadsOfEach = 2 // of an organisation
	uploadLimit   = 2 * time.Minute
	uploadGrace   = 5 * time.Second // until a rate can be told
	uploadRate    = 10_000          // bytes a second from then on, on average
	slotLimit     = 20 * time.Second
)

// pacedBody is the body of an upload. It fails with os.ErrDeadlineExceeded where it comes too slowly.
type pacedBody struct {
	io.ReadCloser

	control    interface{ SetReadDeadline(time.Time) error }
	begun, end time.Time
	received   int64
	slow       bool // it was given up
}

// Read implements io.Reader. The deadline moves on with what arrives.
func (b *pacedBody) Read(p []byte) (int, error) {
	deadline := b.begun.Add(uploadGrace + time.Duration(b.received)*(time.Second/uploadRate))
	if deadline.After(b.end) {
		deadline = b.end
	}
	// The server's own limit is for a page. One that cannot be set is none.
	_ = b.control.SetReadDeadline(deadline)
	n, err := b.ReadCloser.Read(p)
	b.received += int64(n)
	b.slow = b.slow || errors.Is(err, os.ErrDeadlineExceeded)
	return n, err
}

// finish reads the rest: a browser that is still sending does not read the answer. The deadline of a
// body that has come whole would end the request that is being answered; where it has not, it ends the
// connection.
func (b *pacedBody) finish() {
	if _, err := io.Copy(io.Discard, b); err == nil {
		_ = b.control.SetReadDeadline(time.Time{})
	}
}

// upload has read receive the form of a request, and gives what comes after it so much time. Its file has
// a slot until end is called, in every case; where none is free, read leaves the file out.
func (d *Dashboard) upload(
	req *request, after time.Duration, read func(slot bool) (view.FormErrors, error),
) (end func(), wrong view.FormErrors, err error) {
	now := time.Now()
	body := &pacedBody{ReadCloser: req.r.Body, control: http.NewResponseController(req.w), begun: now,
		end: now.Add(uploadLimit)}
	req.r.Body = body
	release, free := d.uploading.take(req.ctx, req.organization.ID)
	wrong, err = read(free)
	body.finish()
	if body.slow { // the server takes the client for gone, and it waits for the answer
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

// received is a file that came whole. It has no name on the disk: whatever becomes of the process, it
// is gone when it is closed.
type received struct {
	io.Reader // an io.ReaderAt, too

	close func() error
}

// receive keeps a part of a form in a temporary file; in memory where there can be none, as in a container
// that is read only. broken is why it did not come whole.
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

// source remembers why what is read did not come whole: another error is of where it is kept.
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
