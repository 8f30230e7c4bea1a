// <script src="https://…/embed.js" async></script>
// <sayso-preferences center="…" ticket="…"></sayso-preferences>
// The element's events bubble: sayso-ready, -saved, -unsaved, -height, -expired, -error.
(() => {
  const module = ({ type, src, dataset }) => type === 'module' && dataset.center && src.startsWith(home);
  // A module does not know its own element, but the stack of an error names its file.
  const home = new URL(document.currentScript?.src ?? /https?:[^\s)]+/.exec(new Error().stack)[0]).origin;
  const script = document.currentScript ?? [...document.scripts].find(module);
  const names = ['center', 'ticket', 'lang', 'label', 'scheme', 'hide', 'height'];
  /** The server fills these in: language, direction, "not loaded", "try again", "open in a new tab". */
  const words = [];
  const likesDark = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const heard = [
    [window, 'message'],
    // Loads of a style sheet or of the frame.
    [document, 'load'],
    [document, 'transitionend'],
    [likesDark, 'change'],
  ];

  const make = (tag, css, about) => {
    const element = Object.assign(document.createElement(tag), about);
    element.style.cssText = css;
    return element;
  };
  const luminance = (colour) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, share, at) => {
      const part = colour[at];
      return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);

  class Preferences extends HTMLElement {
    #box = make('div', 'display:grid;transition:none');
    #watch = new MutationObserver(() => this.#plan());
    #frame;
    #cover;
    #key;
    #isPlanned;
    #late;
    #check;
    #pageAt;
    #loadAt;
    #asked;
    #sentLook;
    #heightKey;
    #pages;
    #leastHeight;
    #isTurned;
    #looking;
    #restsAt;
    #sentEnd;

    connectedCallback() {
      for (const [target, type] of heard) target.addEventListener(type, this, true);
      for (const node of this.#around()) this.#watch.observe(node, { attributes: true });
      this.#plan();
    }

    /** With this method, `moveBefore` moves the element without loading its frame again. */
    connectedMoveCallback() {}

    disconnectedCallback() {
      for (const [target, type] of heard) target.removeEventListener(type, this, true);
      this.#watch.disconnect();
      clearTimeout(this.#late);
      clearInterval(this.#looking);
      this.#box.remove();
      this.#key = undefined;
    }

    /** Updates in the next animation frame, with all attributes and styles; a hidden page uses a timer. */
    #plan() {
      if (this.#isPlanned) return;
      this.#isPlanned = true;
      const update = () => {
        this.#isPlanned = false;
        this.#update();
      };
      if (document.hidden) setTimeout(update);
      else requestAnimationFrame(update);
    }

    /** Opens the frame again for a new ticket only; other changes are sent to the open frame. */
    #update() {
      const [center, ticket, , label] = this.#values();
      if (!center || !ticket || !this.isConnected) return;
      if (this.#key !== `${center} ${ticket}`) this.#open();
      this.#frame.title = label ?? 'Preferences';
      this.#tellLook();
    }

    #values() {
      return names.map((name) => this.getAttribute(name));
    }

    #open() {
      const [center, ticket, lang, , , hide, height] = this.#values();
      this.#key = `${center} ${ticket}`;
      this.#heightKey = `sayso-height ${center} ${location.pathname}`;
      this.#pages = 0;
      this.#setUnsaved(false);
      this.#asked = `${[lang, hide]}`;
      this.#pageAt = this.#loadAt = 0;
      const px = parseFloat(this.#lastHeight() ?? height);
      // Until the height is known, the frame fills the window, so that content below it does not jump. A
      // window that is itself a frame may have any height. The measuring makes the browser lay the page out.
      const room = top === window ? Math.ceil(innerHeight - this.#top()) : 0;
      // The room that the site reserves for the element stays reserved.
      this.#leastHeight = px ? Math.min(this.offsetHeight, room) : room;
      // An old frame that moves in the page would load again, so it is removed first.
      this.#box.replaceChildren();
      this.append(this.#box);
      const query = new URLSearchParams({ ticket, ...this.#look() });
      if (lang) query.set('lang', lang);
      if (hide !== null) query.set('hide', hide);
      const high = Math.max(this.#leastHeight, px || 640);
      const css = `display:block;inline-size:100%;block-size:${high}px;border:0;grid-area:1/1`;
      this.#frame = make('iframe', css, { src: `${home}/embed/${encodeURIComponent(center)}?${query}` });
      this.#box.append(this.#frame);
      const bones = make(
        'div',
        'display:grid;gap:14px;align-content:start;overflow:hidden;max-inline-size:704px',
      );
      for (const block of [32, 88, 88, 88, 88])
        bones.append(make('div', `block-size:${block}px;border-radius:14px;background:#8882`));
      bones.firstChild.style.inlineSize = '40%';
      this.#hide(bones);
      this.ariaBusy = 'true';
      clearTimeout(this.#late);
      this.#late = setTimeout(() => this.#fail(), 10_000);
    }

    /** Hides the frame, which may show an error page of the browser, behind a cover. */
    #hide(cover) {
      cover.style.cssText += ';grid-area:1/1;block-size:0;min-block-size:100%';
      this.#cover?.remove();
      this.#cover = cover;
      this.#box.append(cover);
      this.#frame.style.visibility = 'hidden';
    }

    #fail() {
      clearTimeout(this.#late);
      const [lang, dir, text, again, outside] = words;
      const button = make('button', 'font:inherit;min-block-size:44px;padding-inline:1em', {
        type: 'button',
        textContent: again,
        onclick: () => this.#open(),
      });
      const link = make('a', 'color:inherit;padding:10px', {
        href: this.#frame.src,
        target: '_blank',
        rel: 'noopener',
        textContent: outside,
      });
      const note = make('div', '', { role: 'alert', lang, dir });
      note.append(make('p', 'margin:0 0 12px', { textContent: text }), button, link);
      this.ariaBusy = 'false';
      this.#hide(note);
      this.#tell('error', {});
    }

    #tell(name, detail) {
      this.dispatchEvent(new CustomEvent(`sayso-${name}`, { detail, bubbles: true }));
    }

    /** Reads or writes the last height; the site's storage may be blocked. */
    #lastHeight(height) {
      try {
        if (height) localStorage[this.#heightKey] = height;
        return localStorage[this.#heightKey];
      } catch {}
    }

    /** Returns the element and its ancestors, through slots and shadow roots. */
    #around() {
      const nodes = [];
      for (let node = this; node; node = node.assignedSlot ?? node.parentNode ?? node.host)
        if (node.nodeType === 1) nodes.push(node);
      return nodes;
    }

    /** Returns the parts of any CSS colour, 0 to 1; undefined in a browser without color-mix. */
    #parts(colour) {
      const { style } = this.#box;
      style.color = `color-mix(in srgb,${colour},${colour})`;
      const mixed = getComputedStyle(this.#box).color;
      style.color = '';
      return /^color/.test(mixed) ? mixed.match(/-?[\d.]+(e-?\d+)?/g).map(Number) : undefined;
    }

    /** Returns the luminance of the ground behind the frame; undefined when it is unknown. */
    #ground() {
      let left = 1;
      const mixed = [0, 0, 0];
      const add = (colour) => {
        const [red, green, blue, alpha = 1] = this.#parts(colour) ?? [];
        [red, green, blue].forEach((part, at) => {
          mixed[at] += left * alpha * part;
        });
        left *= 1 - alpha;
      };
      for (const node of this.#around()) {
        const { backgroundColor, backgroundImage } = getComputedStyle(node);
        if (backgroundImage !== 'none') return;
        if (backgroundColor !== 'rgba(0, 0, 0, 0)') add(backgroundColor);
        if (left < 0.01) return luminance(mixed);
      }
      // The ground behind a transparent window that is itself a frame is unknown.
      if (top !== window) return;
      add('Canvas');
      return luminance(mixed);
    }

    #look() {
      const own = getComputedStyle(this);
      const { style } = this.#box;
      style.colorScheme = getComputedStyle(root).colorScheme;
      const property = (name) => own.getPropertyValue(`--sayso-${name}`).trim();
      const asked = this.getAttribute('scheme');
      const ground = this.#ground();
      let isDark = ground === undefined ? luminance(this.#parts(own.color) ?? [0]) > 0.18 : ground < 0.18;
      if (asked) isDark = asked === 'dark' || (asked === 'auto' && likesDark.matches);
      const look = { scheme: isDark ? 'dark' : 'light' };
      // On a ground between these limits, soft text has a contrast below 4.5:1.
      if (!(isDark ? ground < 0.056 : ground > 0.723)) look.ground = 'own';
      const accent = property('accent');
      const hex = (part) =>
        Math.round(Math.min(1, Math.max(0, part)) * 255)
          .toString(16)
          .padStart(2, 0);
      if (accent) look.accent = this.#parts(accent)?.slice(0, 3).map(hex).join('') ?? accent;
      style.borderRadius = property('radius');
      if (style.borderRadius) look.radius = parseFloat(getComputedStyle(this.#box).borderRadius);
      style.fontFamily = property('font');
      if (style.fontFamily) look.font = style.fontFamily;
      style.borderRadius = style.fontFamily = '';
      return look;
    }

    /** Sends the look to the page; each new page gets it, because its address may hold an older look. */
    #tellLook(isPageNew) {
      const look = this.#look();
      this.#frame.style.colorScheme = look.scheme;
      this.#frame.style.borderRadius = look.ground ? '14px' : '';
      this.#frame.style.maxInlineSize = look.ground ? '704px' : '';
      if (!this.#pages) return;
      const [, , lang, , , hide] = this.#values();
      // Language and hidden parts are sent to each page until one confirms them: a leaving page does not.
      const about = `${[lang, hide]}` === this.#asked ? { look } : { look, asked: { lang, hide } };
      const sent = JSON.stringify(about);
      if (isPageNew || sent !== this.#sentLook) this.#post({ sayso: 'look', ...about });
      this.#sentLook = sent;
    }

    #post(message) {
      this.#frame.contentWindow.postMessage(message, home);
    }

    /** Returns how far a fixed or sticky part of the site reaches into the window from an edge. */
    #stuck(y, side, far) {
      const { left, width } = this.getBoundingClientRect();
      let edge = far;
      for (let node = document.elementFromPoint(left + width / 2, y); node; node = node.parentElement) {
        if (node.contains(this)) break;
        if (/fixed|sticky/.test(getComputedStyle(node).position)) edge = node.getBoundingClientRect()[side];
      }
      return Math.abs(edge - far) < innerHeight / 2 ? edge : far;
    }

    /** Returns the distance of the element from the site's header at the upper edge of the window. */
    #top() {
      const margin = parseFloat(getComputedStyle(this).scrollMarginTop);
      return this.getBoundingClientRect().top - Math.max(margin, this.#stuck(8, 'bottom', 0));
    }

    /** Returns the end of the visible part, in the frame's own pixels. */
    #end() {
      const { top, height } = this.#frame.getBoundingClientRect();
      const { offsetTop, height: seen } = visualViewport;
      const margin = parseFloat(getComputedStyle(this).scrollMarginBottom);
      const ends = [offsetTop + seen - margin, this.#stuck(innerHeight - 8, 'top', innerHeight)];
      for (const node of this.#around()) {
        if (node === document.body || node === root || getComputedStyle(node).overflowY === 'visible')
          continue;
        ends.push(node.getBoundingClientRect().bottom);
      }
      return ((Math.min(...ends) - top) * this.#frame.offsetHeight) / height;
    }

    handleEvent({ type, target, origin, source, data }) {
      const frame = this.#frame;
      if (!frame) return;
      if (type === 'load' && target === frame) {
        // Each page of the product sends an event before it is loaded.
        const before = this.#loadAt;
        this.#loadAt = Date.now();
        clearTimeout(this.#check);
        this.#check = setTimeout(() => {
          if (frame === this.#frame && this.#pageAt <= before) this.#fail();
        }, 2_000);
      } else if (/load|transitionend|change/.test(type)) return this.#plan();
      if (type === 'message') {
        const { sayso, height, reference, unsaved, asked } = data ?? {};
        // A page that has gone has no window, so its message has no source.
        const isOwn = source === frame.contentWindow || (!source && sayso === 'gone');
        if (origin !== home || !isOwn) return;
        const detail = {};
        if (sayso === 'asked') this.#asked = asked;
        // The next page may load before this page has loaded.
        if (sayso === 'gone') this.#pageAt = 0;
        if (sayso === 'height' && Number.isInteger(height) && height > 0 && height < 100_000) {
          detail.height = Math.max(height, this.#leastHeight);
          frame.style.blockSize = `${detail.height}px`;
          if (this.#pages === 1) this.#lastHeight(height);
          // In a scaled site the frame moves when its height changes.
          if (this.#isTurned) this.#reveal();
        } else if (sayso === 'unsaved') {
          this.#setUnsaved(unsaved === true);
          detail.unsaved = unsaved === true;
        } else if (['ready', 'expired', 'error'].includes(sayso)) {
          if (typeof reference === 'string') detail.reference = reference;
          this.#pageAt = Date.now();
          clearTimeout(this.#late);
          this.#cover.remove();
          frame.style.visibility = '';
          this.ariaBusy = 'false';
          if (this.#pages++) this.#turn();
          this.#tellLook(true);
        } else if (sayso !== 'saved') return;
        this.#tell(sayso, detail);
      }
    }

    /** While there are unsaved changes, tells the frame every 100 ms where the visible part ends. */
    #setUnsaved(unsaved) {
      clearInterval(this.#looking);
      this.#sentEnd = undefined;
      if (unsaved) this.#looking = setInterval(() => this.#tellView(), 100);
    }

    #tellView() {
      const end = this.#end();
      if (end === this.#restsAt && end !== this.#sentEnd) {
        this.#post({ sayso: 'view', end });
        this.#sentEnd = end;
      }
      this.#restsAt = end;
    }

    /** Scrolls to the beginning of the next page, and keeps the height, so that nothing below moves up. */
    #turn() {
      this.#reveal();
      this.#isTurned = true;
      this.#leastHeight = Math.ceil(Math.min(this.#frame.offsetHeight, innerHeight - this.#top()));
    }

    #reveal() {
      this.#isTurned = false;
      if (this.#top() < 0) this.scrollIntoView({ behavior: 'instant' });
      if (this.#top() < 0) scrollBy({ top: this.#top(), behavior: 'instant' });
    }
  }

  customElements.get('sayso-preferences') ?? customElements.define('sayso-preferences', Preferences);

  if (!script?.dataset.center) return;
  const element = document.createElement('sayso-preferences');
  for (const name of names) {
    if (name in script.dataset) element.setAttribute(name, script.dataset[name]);
  }
  script.after(element);
})();
