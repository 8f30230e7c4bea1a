// For a page in another site's frame: takes the site's look, and tells the site its height, unsaved changes
// and events, nothing else. The page works without this file.

(() => {
  const root = document.documentElement;
  const hosts = (root.dataset.origins ?? '').split(' ').filter((host) => host !== '');
  const above = location.ancestorOrigins?.[0];
  /** The listed origins that get messages; only the parent's where the browser names it. */
  const listeners = above === undefined ? hosts : hosts.filter((host) => host === above);

  let taken;
  // The parser waits for this file, so that no other colours appear first.
  takeTheme(Object.fromEntries(new URLSearchParams(location.search)));
  addEventListener('DOMContentLoaded', () => {
    // A layout starts the loading of the brand's font, which changes the height.
    root.getBoundingClientRect();
    Promise.race([document.fonts.ready, new Promise((go) => setTimeout(go, 1_000))]).then(start);
  });

  /** Takes the site's colours and font; the brand's own stay where the site has none or unreadable ones. */
  function takeTheme({ accent, radius, font }) {
    const { style } = root;
    const theme = [root.dataset.scheme, accent, radius, font].join();
    if (theme === taken) return;
    taken = theme;
    for (const name of ['accent', 'on-accent', 'accent-dark', 'on-accent-dark', 'radius', 'font'])
      style.removeProperty(`--brand-${name}`);
    if (radius !== undefined) style.setProperty('--brand-radius', `${Math.min(radius, 32)}px`);
    if (font !== undefined) style.setProperty('--brand-font', font);
    if (accent !== undefined) takeAccent(`#${accent}`);
  }

  function takeAccent(accent) {
    const { style } = root;
    const computed = getComputedStyle(root);
    const surfaces = ['card', 'tint', 'page'].map((name) => computed.getPropertyValue(`--${name}`).trim());
    const on = contrast(accent, '#ffffff') >= 4.5 ? '#ffffff' : '#0f1218';
    const lowest = Math.min(...[on, ...surfaces].map((other) => contrast(accent, other)));
    if (!(lowest >= 4.5)) {
      const contrasts = `its contrast is ${lowest.toFixed(1)} here, and 4.5 is needed`;
      const why = Number.isNaN(lowest) ? 'it is no colour' : contrasts;
      return console.warn(`sayso: the accent ${accent} is not taken: ${why}.`);
    }
    for (const scheme of ['', '-dark']) {
      style.setProperty(`--brand-accent${scheme}`, accent);
      style.setProperty(`--brand-on-accent${scheme}`, on);
    }
  }

  /** Returns the WCAG 2 contrast of two colours, written `#rgb` or `#rrggbb`. */
  function contrast(...pair) {
    const [light, dark] = pair.map(luminance).sort((one, other) => other - one);
    return (light + 0.05) / (dark + 0.05);
  }

  function luminance(colour) {
    const long = colour.length === 4 ? colour.replaceAll(/[^#]/g, '$&$&') : colour;
    return [0.2126, 0.7152, 0.0722].reduce((sum, share, at) => {
      const part = Number.parseInt(long.slice(2 * at + 1, 2 * at + 3), 16) / 255;
      return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
  }

  function tell(event, about = {}) {
    if (parent === window) return;
    for (const origin of listeners) parent.postMessage({ ...about, sayso: event }, origin);
  }

  function start() {
    /** Other pages than the person's name their event, such as `expired`. */
    const { event = 'ready', reference } = document.querySelector('[data-event]')?.dataset ?? {};
    tell(event, reference === undefined ? {} : { reference });
    tellUnsaved();
    tellHeight();
    tellSaved();
    addEventListener('message', hear);
    addEventListener('pagehide', () => tell('gone'));
    new ResizeObserver(tellHeight).observe(document.body);
    addEventListener('focusin', ({ target }) => {
      isReading = target.id === 'result';
      // The browser scrolls first, and then the bar moves.
      setTimeout(uncover, 200);
    });
    new MutationObserver(() => {
      tellSaved();
      keepFocus();
    }).observe(document.getElementById('main'), { childList: true });
    if (note) new MutationObserver(tellUnsaved).observe(note, { childList: true });
  }

  let lastHeight = 0;
  function tellHeight() {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height === lastHeight) return;
    lastHeight = height;
    tell('height', { height });
  }

  let isSaved = false;
  function tellSaved() {
    const result = document.getElementById('result');
    if (isSaved || !result || result.dataset.refresh || !result.querySelector('.outcomes > .saved')) return;
    isSaved = true;
    tell('saved');
  }

  /** Gives the focus back to a result that was replaced; never takes it from the surrounding site. */
  let isReading = location.hash === '#result';
  function keepFocus() {
    if (!isReading || !document.hasFocus() || document.activeElement !== document.body) return;
    document.getElementById('result')?.focus({ preventScroll: true });
  }

  let note;
  let isUnsaved;
  function tellUnsaved() {
    note ??= document.querySelector('[data-unsaved]');
    const unsaved = note !== null && note.textContent !== '';
    if (unsaved === isUnsaved) return;
    isUnsaved = unsaved;
    if (!unsaved) {
      lift = 0;
      root.style.removeProperty('--lift');
    }
    tell('unsaved', { unsaved });
  }

  function hear({ origin, source, data }) {
    if (source !== parent || !listeners.includes(origin)) return;
    if (data?.sayso === 'view' && Number.isFinite(data.end)) liftBar(data.end);
    if (data?.sayso === 'look') takeLook(data);
  }

  /**
   * Lifts the bar to the end of the visible part, because a frame as high as its page hides the end of the
   * form. The bar never covers the beginning of the form.
   */
  let lift = 0;
  function liftBar(end) {
    const bar = document.querySelector('.actions');
    if (!bar || !isUnsaved) return;
    const isNew = lift === 0;
    const first = document.querySelector('.items')?.offsetTop ?? bar.offsetTop;
    const wanted = Math.min(bar.offsetTop + bar.offsetHeight - end, bar.offsetTop - first);
    lift = Math.max(0, Math.round(wanted));
    root.style.setProperty('--lift', `${lift}px`);
    if (isNew) uncover();
  }

  /** Scrolls a focused element out from below the bar. */
  function uncover() {
    const focused = document.activeElement;
    const bar = document.querySelector('.actions');
    if (lift === 0 || bar?.contains(focused) !== false || !focused.closest('form')) return;
    const top = bar.offsetTop - lift - scrollY;
    const box = focused.getBoundingClientRect();
    if (box.bottom > top && box.top < top + bar.offsetHeight) focused.scrollIntoView({ block: 'center' });
  }

  /** Takes a new look of the site, and writes it into all addresses for the next pages. */
  function takeLook({ look, asked }) {
    root.dataset.scheme = look.scheme;
    root.toggleAttribute('data-own-ground', look.ground === 'own');
    takeTheme(look);
    history.replaceState(history.state, '', within(location.href, look));
    for (const name of ['href', 'action']) {
      for (const element of document.querySelectorAll(`[${name}*="?v="]`))
        element.setAttribute(name, within(element.getAttribute(name), look));
    }
    if (!asked) return;
    tell('asked', { asked: `${[asked.lang, asked.hide]}` });
    const here = document.querySelector('[data-continue]');
    if (here) location.replace(within(here.href, asked));
  }

  function within(address, { lang, hide, scheme, ground, accent, radius, font }) {
    const url = new URL(address, location.href);
    const parameters = lang === undefined ? { scheme, ground, accent, radius, font } : { lang, hide };
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined || value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    return url.pathname + url.search + url.hash;
  }
})();
