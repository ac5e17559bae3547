/* The behaviour of pages. Every page works without this file: it saves the reader
   a reload, shows how much time is left, and keeps a button from being pressed
   twice. It has no words: those are in the page, in its language. */
(function () {
  'use strict';

  var page = document.querySelector('main');
  var told = document.getElementById('status');
  if (!page) return;

  var opened = Date.now();
  var typed = false; // the reader has something to lose
  var leaving = false;
  var looking = 0; // timer of the next request for the state
  var pause = 2000;

  function each(list, f) { Array.prototype.forEach.call(list, f); }
  function all(query, f) { each(document.querySelectorAll(query), f); }
  function number(text) { return parseInt(text, 10) || 0; }
  function say(text) { if (told && text) told.textContent = text; }

  // The page's own address: after a posted form, a reload would post it again.
  function open() {
    leaving = true;
    location.replace(page.dataset.self || location.pathname + location.search);
  }

  /* The state on the server. */

  function look() {
    looking = 0;
    if (leaving || document.hidden) return;
    fetch(page.dataset.watch, { headers: { Accept: 'application/json' }, cache: 'no-store', credentials: 'same-origin' })
      .then(function (answer) { return answer.ok ? answer.json() : {}; })
      .then(function (now) {
        if (now.version && now.version !== page.dataset.version && !leaving) return open();
        lookLater();
      })
      .catch(lookLater);
  }

  function lookLater() {
    if (looking || leaving || document.hidden) return;
    looking = setTimeout(look, pause);
    pause = Math.min(pause * 1.5, 15000);
  }

  function lookNow() {
    if (!page.dataset.watch) return;
    clearTimeout(looking);
    pause = 2000;
    look();
  }

  if (page.dataset.watch) lookLater();
  else if (number(page.dataset.refresh)) {
    setInterval(function () { if (!typed && !leaving && !document.hidden) open(); }, number(page.dataset.refresh) * 1000);
  }

  /* The time that is left to pay, by the server's clock: that of the device may be
     wrong. It is shown in the last hour and spoken four times. */

  function clock(seconds) {
    var rest = seconds % 60;
    return Math.floor(seconds / 60) + ':' + (rest < 10 ? '0' : '') + rest;
  }

  function deadline(shown) {
    var left = Date.parse(page.dataset.deadline) - Date.parse(page.dataset.now);
    if (!(left > 0)) return;
    var before = Infinity; // what the page shows when it opens is not announced
    var timer = setInterval(tick, 1000);
    function tick() {
      var seconds = Math.ceil((left - (Date.now() - opened)) / 1000);
      if (seconds <= 0) {
        clearInterval(timer);
        shown.hidden = true;
        // A second later, so that the server's clock does not still say "not yet".
        setTimeout(function () { if (typed && page.dataset.watch) lookNow(); else if (!leaving) open(); }, 1000);
        return;
      }
      shown.hidden = seconds > 3600;
      shown.querySelector('[data-clock]').textContent = clock(seconds);
      each(['600', '300', '60', '30'], function (mark) {
        if (before !== Infinity && before > +mark && seconds <= +mark) say(shown.getAttribute('data-say-' + mark));
      });
      before = seconds;
    }
    tick();
  }
  all('[data-left]', deadline);

  // Whose time a page shows, for a device that has another.
  all('[data-zone]', function (zone) {
    zone.hidden = new Date(zone.previousElementSibling.dateTime).getTimezoneOffset() === -120;
  });

  /* Waits of some seconds: with data-holds until a button can be used, with data-moves
     until the page redirects to the shop. */

  var plural = window.Intl && Intl.PluralRules && new Intl.PluralRules(document.documentElement.lang);

  function inWords(span, seconds) {
    var form = plural ? plural.select(seconds) : 'other';
    return (span.getAttribute('data-' + form) || span.dataset.other).replace('#', seconds);
  }

  // Calls then after the seconds, unless going returns false before.
  function count(span, hiddenToo, going, then) {
    var left = number(span.dataset.count) * 1000;
    var last = Date.now();
    var timer = setInterval(function () {
      var now = Date.now();
      if (hiddenToo || !document.hidden) left -= now - last;
      last = now;
      if (!going()) return clearInterval(timer);
      if (left > 0) {
        span.textContent = inWords(span, Math.ceil(left / 1000));
        return;
      }
      clearInterval(timer);
      then();
    }, 500);
  }

  all('[data-holds]', function (wait) {
    var button = document.getElementById(wait.dataset.holds);
    var span = wait.querySelector('[data-count]');
    if (!button || !span || !number(span.dataset.count)) return;
    button.disabled = true;
    count(span, true, function () { return true; }, function () {
      button.disabled = false;
      wait.hidden = true;
      say(wait.dataset.done);
    });
  });

  all('[data-moves]', function (move) {
    var to = document.getElementById(move.dataset.moves);
    var stay = move.querySelector('[data-stay]');
    var going = true;
    if (!to) return;
    stay.addEventListener('click', function (event) {
      event.preventDefault();
      going = false;
      move.hidden = true;
      history.replaceState(null, '', stay.href);
      say(stay.dataset.stay);
      to.focus();
    });
    // Not while the page is in the background: the reader should see the receipt first.
    count(move.querySelector('[data-count]'), false, function () { return going; }, function () {
      leaving = true;
      location.assign(to.getAttribute('href'));
    });
  });

  /* Forms are sent once. The server ensures that, too; this shows it. */

  function free() {
    all('button[aria-busy]', function (button) {
      button.disabled = false;
      button.removeAttribute('aria-busy');
      button.removeAttribute('data-says');
    });
    all('form[data-sent]', function (form) { form.removeAttribute('data-sent'); });
  }

  document.addEventListener('submit', function (event) {
    var form = event.target;
    if (event.defaultPrevented) return;
    if (form.hasAttribute('data-sent')) return event.preventDefault();
    form.setAttribute('data-sent', '');
    leaving = true;
    say(told && told.dataset.busy);
    // Only after the browser has collected the fields: a disabled button is not sent.
    setTimeout(function () {
      all('button:not(:disabled)', function (button) {
        if (button.type !== 'submit') return;
        button.disabled = true;
        button.setAttribute('aria-busy', form.contains(button) ? 'true' : 'false');
        if (told && (event.submitter || form.querySelector('button')) === button) button.setAttribute('data-says', told.dataset.busy);
      });
    }, 0);
    // If no answer comes, the reader may try again.
    setTimeout(function () { free(); leaving = false; lookNow(); }, 30000);
  });

  // The policy blocked a form's redirect to another server: the page shows a link to it.
  document.addEventListener('securitypolicyviolation', function (event) {
    if (event.effectiveDirective === 'form-action') open();
  });

  document.addEventListener('input', function () { typed = true; });
  document.addEventListener('visibilitychange', function () { if (!document.hidden) lookNow(); });
  window.addEventListener('pagehide', function () { leaving = true; });
  window.addEventListener('pageshow', function (event) {
    free();
    if (!event.persisted) return;
    leaving = false;
    say(' ');
    lookNow();
  });

  // The form of an acquirer, drawn by its own script on a page that allows it. Its result
  // proves nothing: the server asks the acquirer, and the state changes.
  all('[data-opens]', function (button) {
    var settings = JSON.parse(document.getElementById(button.dataset.opens).textContent);
    var missing = document.getElementById(button.dataset.missing);
    function draw(byItself) {
      var box = window.Lightbox && window.Lightbox.Checkout;
      missing.hidden = byItself || !!box;
      if (!box || byItself && !first('opened ' + page.dataset.version)) return;
      settings.completeCallback = settings.errorCallback = settings.cancelCallback = function () { lookNow(); };
      box.configure = settings;
      box.showLightbox();
    }
    button.hidden = false;
    button.addEventListener('click', function () { draw(false); });
    // Once for an attempt: a payer who has closed the form, or comes back, does not see it again.
    window.addEventListener('load', function () { draw(true); });
  });

  // Reports whether this tab does a thing for the first time; false if that cannot be stored.
  function first(thing) {
    try {
      var noted = sessionStorage.getItem(thing);
      sessionStorage.setItem(thing, '1');
      return !noted;
    } catch (e) {
      return false;
    }
  }

  // Only where the browser lets a page write to the clipboard: on https.
  if (navigator.clipboard) all('[data-copy]', function (button) {
    var from = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener('click', function () {
      navigator.clipboard.writeText(from.value || from.textContent).then(function () { say(button.dataset.done); });
    });
  });

  // A password that is typed on a phone can be read. It is hidden before it is sent:
  // browsers remember what was typed into other fields.
  all('[data-reveals]', function (button) {
    var fields = button.dataset.reveals.split(' ').map(function (id) { return document.getElementById(id); });
    var shown = false;
    function show(now) {
      shown = now;
      fields.forEach(function (field) { field.type = shown ? 'text' : 'password'; });
      each(button.querySelectorAll('span:not(.unseen)'), function (word, hides) { word.hidden = shown !== !!hides; });
    }
    button.hidden = false;
    button.addEventListener('click', function () {
      show(!shown);
      say(shown ? button.dataset.shown : button.dataset.hidden);
    });
    button.form.addEventListener('submit', function () { show(false); });
  });

  if (navigator.share) all('[data-share]', function (button) {
    var from = document.getElementById(button.dataset.share);
    button.hidden = false;
    button.addEventListener('click', function () {
      navigator.share({ text: from.textContent }).catch(function () {}); // closed without a choice
    });
  });

  // A receipt is printed where there is a mouse: phones have better ways to keep it.
  all('[data-print]', function (button) {
    button.hidden = button.dataset.print === 'mouse' && !window.matchMedia('(hover: hover)').matches;
    button.addEventListener('click', function () { window.print(); });
  });
})();
