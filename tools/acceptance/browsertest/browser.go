package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
)

const (
	// patience is longer than any step takes, also on a busy machine.
	patience   = time.Minute
	closeLimit = 10 * time.Second
)

// Variable is the environment variable with the address of the browser that the test processes of
// one run share. Start returns the address.
const Variable = "DAFTAR_TEST_BROWSER"

// Suite is the type of *testing.M, which TestMain runs.
type Suite interface{ Run() int }

// browser is the Chromium of the test process, started by the first tab.
var browser struct {
	sync.Mutex
	allowed bool // something will close it
	ctx     context.Context
	end     []func()
}

// Around returns the same suite, with the browser closed after the last test.
func Around(m Suite) Suite { return around{m} }

type around struct{ suite Suite }

func (a around) Run() int {
	browser.Lock()
	browser.allowed = true
	browser.Unlock()
	defer closeBrowser()
	return a.suite.Run()
}

func closeBrowser() {
	browser.Lock()
	defer browser.Unlock()
	if browser.ctx != nil && browser.end != nil {
		// A graceful end is tried first, because it leaves no child processes.
		ctx, cancel := context.WithTimeout(browser.ctx, closeLimit)
		defer cancel()
		_ = chromedp.Cancel(ctx)
	}
	for _, end := range browser.end {
		end()
	}
}

// browserContext returns a context of the browser, in which tabs can be opened.
func browserContext() (context.Context, error) {
	browser.Lock()
	defer browser.Unlock()
	if !browser.allowed {
		return nil, fmt.Errorf("TestMain does not run the tests through browsertest.Around")
	}
	if browser.ctx != nil {
		return browser.ctx, nil
	}
	if address := os.Getenv(Variable); address != "" {
		// Canceling this context would close the browser for all tests. Each tab is closed by its
		// test.
		allocator, _ := remote.NewAllocator(context.Background(), address, remote.NoModifyURL)
		ctx, _ := chromedp.NewContext(allocator)
		if err := chromedp.Do(ctx); err != nil {
			return nil, fmt.Errorf("use the browser at %s: %w", address, err)
		}
		browser.ctx = ctx //nolint:fatcontext // the one of the whole process, set once
		return ctx, nil
	}
	options, err := execOptions()
	if err != nil {
		return nil, err
	}
	ctx, err := startBrowser(options)
	if err != nil {
		return nil, err
	}
	browser.ctx = ctx
	return ctx, nil
}

// startBrowser starts a Chromium that closeBrowser ends.
func startBrowser(options []chromedp.ExecAllocatorOption) (context.Context, error) {
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, endBrowser := chromedp.NewContext(allocator)
	browser.end = append(browser.end, endBrowser, endAllocator)
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("start Chromium: %w", err)
	}
	return ctx, nil
}

// Start starts a browser for several test processes and returns its address, for
// Variable. stop ends it.
func Start() (address string, stop func(), err error) {
	options, err := execOptions()
	if err != nil {
		return "", nil, err
	}
	data, err := os.MkdirTemp("", "daftar-browser-")
	if err != nil {
		return "", nil, fmt.Errorf("create the browser's folder: %w", err)
	}
	// KeepOpen starts it in a separate process group, with a port to connect to.
	ctx, err := startBrowser(append(options, chromedp.UserDataDir(data), remote.WebSocket, chromedp.KeepOpen))
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(data))
	}
	process := chromedp.FromContext(ctx).Browser.Process()
	address, _ = chromedp.KeptOpen(ctx)
	return address, func() {
		_ = syscall.Kill(-process.Pid, syscall.SIGKILL) // its child processes too
		_ = chromedp.WaitClosed(ctx)
		_ = os.RemoveAll(data)
	}, nil
}

// startLimit only ends a start that hangs.
const startLimit = 2 * time.Minute

func execOptions() ([]chromedp.ExecAllocatorOption, error) {
	path, err := chromium()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU,
		// The first start reads 250 MB from a cold disk, perhaps while other tests run; the default
		// of 20 s was too short for that.
		chromedp.WSURLReadTimeout(startLimit),
		// Letters are drawn the same way with any font settings of the machine, so that saved
		// pictures can be compared.
		chromedp.Flag("font-render-hinting", "full"), chromedp.Flag("disable-lcd-text", true),
		// These are chromedp's defaults, without the spare renderer process, which takes a quarter
		// of the time of loading a page.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	return options, nil
}

func chromium() (string, error) {
	// The first is the same engine without a window, and takes a third of the processor time.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium: make deps installs it")
}

// repositoryRoot is the folder of the product's module. The modules of tools, in which the tests
// run, lie below it.
var repositoryRoot = sync.OnceValues(func() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "tools", "acceptance", "browsertest")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", fmt.Errorf("find the repository: no tools/acceptance/browsertest above the test")
		}
		dir = above
	}
})
