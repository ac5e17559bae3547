/* Stands for the script of an acquirer: it opens an empty form, in the place of the one
   that takes the card. */
(function () {
  'use strict';

  var arabic = document.documentElement.lang === 'ar';

  window.Lightbox = {
    Checkout: {
      configure: null,
      showLightbox: function () {
        // The page opens it by itself; a story shows the page below, until somebody presses the button.
        if (!navigator.userActivation.isActive) return;
        var settings = window.Lightbox.Checkout.configure;
        var dialog = document.createElement('dialog');
        var words = document.createElement('p');
        var close = document.createElement('button');
        dialog.id = 'form';
        dialog.dataset.reference = settings.MerchantReference;
        words.textContent = arabic ? 'هنا نموذج معاملات.' : 'Here is Moamalat’s form.';
        close.type = 'button';
        close.textContent = arabic ? 'أغلق' : 'Close';
        close.addEventListener('click', function () { dialog.close(); });
        dialog.addEventListener('close', function () {
          dialog.remove();
          settings.cancelCallback();
        });
        dialog.append(words, close);
        document.body.append(dialog);
        dialog.showModal();
      }
    }
  };
})();
