/* The search of the documentation: looks through the index, which was made with the pages,
   and lists what it finds under the field. Without this file the form leads to the page
   with all of the index. It has no words: those are in the page, in its language. */
(function () {
  'use strict';

  var field = document.querySelector('[data-index]');
  if (!field) return;
  var list = document.getElementById(field.dataset.found);
  var places; // the promise of the index

  // The same letters however they are written: without vowel signs, and with one form of each.
  function plain(text) {
    return text.toLowerCase().replace(/[\u064B-\u0652\u0640]/g, '').replace(/[أإآ]/g, 'ا').replace(/ة/g, 'ه').replace(/ى/g, 'ي');
  }

  function load() {
    places = places || fetch(field.dataset.index).then(function (answer) { return answer.json(); }).then(function (all) {
      return all.map(function (one) {
        return { place: one, title: plain(one.t), rest: plain(one.t + ' ' + one.p + ' ' + one.x) };
      });
    });
    return places;
  }

  // A place counts more if its title has a word, and most if it begins with it.
  function score(one, words) {
    return words.reduce(function (sum, word) {
      var at = one.title.indexOf(word);
      if (at < 0 && one.rest.indexOf(word) < 0) return -Infinity;
      return sum + (one.title === word ? 4 : at === 0 ? 3 : at > 0 ? 2 : 0);
    }, 0);
  }

  function show(all) {
    var words = plain(field.value).split(/\s+/).filter(Boolean);
    list.textContent = '';
    list.hidden = !words.length;
    if (!words.length) return;
    var found = all.map(function (one) { return { place: one.place, score: score(one, words) }; })
      .filter(function (one) { return one.score >= 0; })
      .sort(function (a, b) { return b.score - a.score; }).slice(0, 10);
    found.forEach(function (one) {
      var link = document.createElement('a');
      var page = document.createElement('small');
      link.href = one.place.u;
      link.textContent = one.place.t + ' ';
      page.textContent = one.place.p;
      link.appendChild(page);
      list.appendChild(link);
    });
    if (!found.length) list.textContent = list.dataset.none;
  }

  function look() {
    load().then(show).catch(function () { places = null; }); // out of reach: the form still works
  }

  field.value = new URLSearchParams(location.search).get('q') || field.value;
  if (field.value) look();
  field.addEventListener('focus', load);
  field.addEventListener('input', look);
  field.form.addEventListener('submit', function (event) {
    var first = list.querySelector('a');
    if (!first) return;
    event.preventDefault();
    location.assign(first.href);
  });
  field.addEventListener('keydown', function (event) {
    if (event.key !== 'Escape') return;
    field.value = '';
    look();
  });
})();
