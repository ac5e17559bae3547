/* Forms that a passkey answers: the button asks the server for a challenge, the browser asks
   the device, and the form is sent with the answer. The forms are hidden if this does not run
   or the browser has no passkeys. It has no words: those are in the page. */
(function () {
  'use strict';

  if (!window.PublicKeyCredential || !navigator.credentials || !window.fetch) return;

  function all(query, f) { Array.prototype.forEach.call(document.querySelectorAll(query), f); }

  // Some browsers have no parse...FromJSON and toJSON yet.
  function bytes(text) {
    var plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(plain, function (c) { return c.charCodeAt(0); });
  }

  function text(buffer) {
    var plain = Array.prototype.map.call(new Uint8Array(buffer), function (b) { return String.fromCharCode(b); }).join('');
    return btoa(plain).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  }

  function known(list) {
    return (list || []).map(function (c) { return { type: c.type, id: bytes(c.id), transports: c.transports }; });
  }

  function ask(create, options) {
    options.challenge = bytes(options.challenge);
    if (!create) {
      options.allowCredentials = known(options.allowCredentials);
      return navigator.credentials.get({ publicKey: options });
    }
    options.user.id = bytes(options.user.id);
    options.excludeCredentials = known(options.excludeCredentials);
    return navigator.credentials.create({ publicKey: options });
  }

  function answer(credential) {
    var said = credential.response;
    var response = {};
    ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'].forEach(function (name) {
      if (said[name]) response[name] = text(said[name]);
    });
    if (said.getTransports) response.transports = said.getTransports();
    return JSON.stringify({
      id: credential.id, rawId: text(credential.rawId), type: credential.type, response: response,
      authenticatorAttachment: credential.authenticatorAttachment || undefined
    });
  }

  // The page's text on why there is no answer.
  function reason(wrong, error) {
    switch (error && error.name) {
      case 'NotAllowedError':
      case 'AbortError':
        return wrong.dataset.cancelled;
      case 'InvalidStateError':
        return wrong.dataset.known || wrong.dataset.failed;
    }
    return wrong.dataset.failed;
  }

  all('form[data-passkey]', function (form) {
    var create = form.dataset.passkey === 'create';
    var field = form.elements.credential;
    var button = form.querySelector('button');
    var wrong = form.querySelector('[data-cancelled]');
    form.hidden = false;

    form.addEventListener('submit', function (event) {
      if (field.value) return; // with the answer
      event.preventDefault();
      button.disabled = true;
      wrong.textContent = '';
      fetch(form.dataset.challenge, { method: 'POST', headers: { Accept: 'application/json' }, cache: 'no-store', credentials: 'same-origin' })
        .then(function (challenge) {
          if (challenge.redirected) return location.assign(challenge.url); // the sign-in is over, or too old
          if (!challenge.ok) throw new Error();
          return challenge.json().then(function (options) { return ask(create, options); }).then(function (credential) {
            field.value = answer(credential);
            button.disabled = false;
            if (form.requestSubmit) form.requestSubmit(button); else form.submit();
          });
        })
        .catch(function (error) {
          button.disabled = false;
          wrong.textContent = reason(wrong, error);
          button.focus();
        });
    });

    // If the reader comes back from the next page, the answer has been used.
    window.addEventListener('pageshow', function () { field.value = ''; });
  });
  all('[data-without-passkeys]', function (words) { words.hidden = true; });
})();
