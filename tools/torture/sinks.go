package torture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"

	"daftar/tools/torture/history"
)

// behaviour is how a merchant's webhook endpoint behaves (F14).
type behaviour string

const (
	behaviourOK       behaviour = "ok"
	behaviourOK2      behaviour = "ok-2"
	behaviourFlaky    behaviour = "flaky"    // fails three in ten
	behaviourSlow     behaviour = "slow"     // answers after 3 s
	behaviourHang     behaviour = "hang"     // never answers
	behaviour500      behaviour = "500"      // always fails
	behaviourGone     behaviour = "410"      // asks for no further webhooks
	behaviourRedirect behaviour = "redirect" // redirects to this machine
	behaviourRefuse   behaviour = "refuse"   // refuses connections
)

// The behaviours of the two organisations' applications.
var (
	behavioursOfFirst  = []behaviour{behaviourOK, behaviourFlaky, behaviourSlow, behaviourHang}
	behavioursOfSecond = []behaviour{
		behaviourOK2, behaviour500, behaviourGone, behaviourRedirect, behaviourRefuse,
	}
)

// weight is how many of a hundred intents belong to the application. Those whose endpoint
// is not healthy get few, because their deliveries pile up.
func (t behaviour) weight() int {
	switch t {
	case behaviourOK:
		return 50
	case behaviourOK2:
		return 26
	case behaviourFlaky:
		return 8
	case behaviourSlow:
		return 2
	case behaviourHang, behaviour500, behaviourGone, behaviourRedirect, behaviourRefuse:
		return 3
	}
	panic("torture: unknown behaviour " + string(t))
}

// healthy reports whether every webhook must arrive there.
func (t behaviour) healthy() bool { return t == behaviourOK || t == behaviourOK2 }

// sinks are all webhook endpoints.
type sinks struct {
	recorder *history.Recorder
	listener net.Listener
	server   *http.Server
	refusing int // a socket that is bound and not listening
	refused  string
	trapped  atomic.Int64  // requests that followed a redirect
	healed   chan struct{} // closed: hang and slow answer at once, flaky does not fail
	heal     func()

	mu      sync.Mutex
	owners  map[behaviour]uuid.UUID
	dice    dice
	arrived func(behaviour, history.Delivery) // called with each webhook at a healthy endpoint
	// delivered are the intents of which a healthy endpoint received a webhook since watch
	// was called; nil before.
	delivered map[string]bool
}

// slowness is the delay of the slow endpoint, well below the service's timeout.
const slowness = 3 * time.Second

func (s *stage) startSinks(ctx context.Context) error {
	k := &sinks{
		recorder: s.recorder,
		healed:   make(chan struct{}),
		owners:   map[behaviour]uuid.UUID{},
		dice:     newDice(s.Seed, partSinks),
		arrived:  func(behaviour, history.Delivery) {},
		refusing: -1,
	}
	k.heal = sync.OnceFunc(func() { close(k.healed) })
	s.sinks = k
	var err error
	if k.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return fmt.Errorf("open the webhook endpoints: %w", err)
	}
	if err := k.reservePort(); err != nil {
		return err
	}
	k.server = &http.Server{Handler: http.HandlerFunc(k.take), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = k.server.Serve(k.listener) }()
	return nil
}

// reservePort binds a port without listening on it: connections are refused, and no other
// process can use the port.
func (k *sinks) reservePort() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("hold a port: %w", err)
	}
	k.refusing = socket
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return fmt.Errorf("hold a port: %w", err)
	}
	bound, err := syscall.Getsockname(socket)
	if err != nil {
		return fmt.Errorf("hold a port: %w", err)
	}
	at, ok := bound.(*syscall.SockaddrInet4)
	if !ok {
		return errors.New("hold a port: its address is of another kind")
	}
	k.refused = net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port))
	return nil
}

func (k *sinks) address(t behaviour) string {
	if t == behaviourRefuse {
		return "http://" + k.refused + "/hook"
	}
	return "http://" + k.listener.Addr().String() + "/hook/" + string(t)
}

func (k *sinks) belongs(t behaviour, application uuid.UUID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.owners[t] = application
}

// take answers a webhook by its endpoint's behaviour, and records it.
func (k *sinks) take(w http.ResponseWriter, r *http.Request) {
	name, hook := strings.CutPrefix(r.URL.Path, "/hook/")
	if !hook {
		k.trapped.Add(1)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		return // cut off before it had arrived
	}
	t := behaviour(name)
	k.mu.Lock()
	fails, application := k.dice.in(30), k.owners[t]
	k.mu.Unlock()
	d := history.Delivery{
		Sink: name, Application: application, Arrived: k.recorder.Now(), ID: r.Header.Get("webhook-id"),
		Timestamp: r.Header.Get("webhook-timestamp"), Signature: r.Header.Get("webhook-signature"), Body: body,
	}
	d.Answered = k.answer(w, r, t, fails)
	k.recorder.Delivery(d)
	if t.healthy() {
		k.mu.Lock()
		arrived := k.arrived
		k.mu.Unlock()
		arrived(t, d)
		k.note(body)
	}
}

// onArrival sets the function that is called with each webhook at a healthy endpoint.
func (k *sinks) onArrival(arrived func(behaviour, history.Delivery)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.arrived = arrived
}

// watch starts to collect the intents of which webhooks are received.
func (k *sinks) watch() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.delivered = map[string]bool{}
}

func (k *sinks) note(body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.delivered != nil {
		k.delivered[intentOf(body).UUID] = true // webhooks and answers both have the intent under data
	}
}

func (k *sinks) hasDelivered(intent string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.delivered[intent]
}

func (k *sinks) answer(w http.ResponseWriter, r *http.Request, t behaviour, fails bool) int {
	status := http.StatusOK
	switch t {
	case behaviourOK, behaviourOK2, behaviourRefuse:
	case behaviourFlaky:
		if fails && !k.isHealed() {
			status = http.StatusServiceUnavailable
		}
	case behaviourSlow:
		if !k.delay(r.Context(), slowness) {
			return 0
		}
	case behaviourHang:
		if !k.delay(r.Context(), time.Hour) {
			return 0
		}
	case behaviour500:
		status = http.StatusInternalServerError
	case behaviourGone:
		status = http.StatusGone
	case behaviourRedirect:
		w.Header().Set("Location", "http://"+k.listener.Addr().String()+"/trap")
		status = http.StatusTemporaryRedirect
	}
	w.WriteHeader(status)
	return status
}

func (k *sinks) isHealed() bool {
	select {
	case <-k.healed:
		return true
	default:
		return false
	}
}

// delay waits before an answer, and reports whether the client is still connected.
func (k *sinks) delay(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-k.healed:
	case <-ctx.Done():
		return false
	}
	return true
}

func (k *sinks) close() {
	k.heal()
	if k.server != nil {
		_ = k.server.Close()
	}
	if k.refusing >= 0 {
		_ = syscall.Close(k.refusing)
	}
}
