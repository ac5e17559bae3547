/* The till: the answer is spoken where the browser has a voice for the page's language, and the code
   of a receipt can be scanned where it reads codes. Typing works without this. It has no words:
   those are in the page. */
(function () {
  'use strict';

  var language = document.documentElement.lang;
  var camera = null; // what the camera shows, while it runs

  function voice() {
    return window.speechSynthesis && speechSynthesis.getVoices().filter(function (v) {
      return v.lang.toLowerCase().indexOf(language) === 0;
    })[0];
  }

  function speak() {
    var answer = document.querySelector('[data-say]');
    var by = voice();
    if (!answer || !by) return;
    var words = new SpeechSynthesisUtterance(answer.dataset.say);
    words.voice = by;
    words.lang = by.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
  }

  function close() {
    if (camera) camera.getTracks().forEach(function (track) { track.stop(); });
    camera = null;
  }

  // The answer replaces the content of the page: browsers speak only on a page that was touched.
  function send(form, event) {
    if (!window.fetch || !window.URLSearchParams) return;
    event.preventDefault();
    if (form.hasAttribute('data-sent')) return;
    form.setAttribute('data-sent', '');
    close();
    voice(); // some browsers load their voices when they are first asked
    fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)), cache: 'no-store', credentials: 'same-origin' })
      .then(function (answer) {
        if (answer.redirected) return location.assign(answer.url); // the sign-in is over
        return answer.text().then(function (text) {
          var page = new DOMParser().parseFromString(text, 'text/html');
          var main = page.querySelector('main');
          if (!main) throw new Error();
          document.querySelector('main').replaceWith(main);
          document.title = page.title;
          window.scrollTo(0, 0);
          var verdict = main.querySelector('.verdict');
          if (verdict) verdict.focus();
          start();
          speak();
        });
      })
      .catch(function () { form.submit(); }); // as without this: the same number of the form
  }

  function scan(button, form) {
    var picture = document.getElementById(button.dataset.scan);
    var open = button.textContent;
    var reader = new BarcodeDetector({ formats: ['qr_code'] });
    function end() {
      close();
      picture.hidden = true;
      button.textContent = open;
    }
    function look() {
      if (!camera) return;
      reader.detect(picture).then(function (codes) {
        if (!camera) return;
        if (!codes.length) return setTimeout(look, 100);
        end();
        form.elements.reference.value = codes[0].rawValue;
        form.requestSubmit();
      }, function () { setTimeout(look, 300); });
    }
    button.hidden = false;
    button.addEventListener('click', function () {
      if (camera) return end();
      navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(function (stream) {
        camera = stream;
        picture.srcObject = stream;
        picture.hidden = false;
        button.textContent = button.dataset.stop;
        return picture.play().then(look);
      }).catch(function () {
        end();
        document.getElementById('status').textContent = button.dataset.failed;
        form.elements.reference.focus();
      });
    });
  }

  function start() {
    var form = document.querySelector('form[data-till]');
    if (!form) return;
    var button = form.querySelector('[data-scan]');
    form.addEventListener('submit', function (event) { send(form, event); });
    if (window.BarcodeDetector && navigator.mediaDevices && form.requestSubmit) scan(button, form);
    form.elements.reference.focus();
  }

  start();
  voice();
  window.addEventListener('pagehide', close);
})();
