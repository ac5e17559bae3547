// The buttons of the settings page: copy the webhook address, check the connection.
(function (words) {
  'use strict';

  var found = document.getElementById('daftar-found');
  var address = document.getElementById('daftar-webhook');
  document.getElementById('daftar-copy').addEventListener('click', function () {
    address.select();
    document.execCommand('copy'); // the newer way is refused on pages without https
    this.textContent = words.copied;
  });
  function say(good, text) {
    var line = document.createElement('li');
    line.textContent = (good === null ? '' : good ? '✓ ' : '✗ ') + text;
    found.appendChild(line);
  }
  document.getElementById('daftar-check').addEventListener('click', function () {
    found.textContent = '';
    say(null, words.wait);
    fetch(words.url, {
      method: 'POST',
      credentials: 'same-origin',
      body: new URLSearchParams({ action: 'daftar_check', _ajax_nonce: words.nonce }),
    }).then(function (answer) {
      return answer.json();
    }).then(function (answer) {
      found.textContent = '';
      answer.data.forEach(function (one) { say(one[0], one[1]); });
    }).catch(function () {
      found.textContent = '';
      say(false, words.failed);
    });
  });
})(window.daftarAdmin);
