// <script src="https://…/embed.js" data-center="…" data-ticket="…"></script>, or <sayso-preferences center ticket>.
// Events on the element, which bubble: sayso-ready, -saved, -unsaved, -height, -expired, -error.
(() => {
  const script = document.currentScript;
  const home = new URL(script.src).origin;
  const names = ['center', 'ticket', 'lang', 'label', 'scheme', 'hide', 'height'];

  class Preferences extends HTMLElement {
    static observedAttributes = ['center', 'ticket', 'lang'];
    #frame;
    #heightKey;
    #pages;
    #leastHeight;
    #unsaved;

    connectedCallback() {
      addEventListener('message', this);
      addEventListener('scroll', this, true);
      // The site's styles say its scheme, and are there before it is painted. In the background nothing is.
      if (document.hidden) this.#open();
      else requestAnimationFrame(() => this.#open());
    }

    disconnectedCallback() {
      removeEventListener('message', this);
      removeEventListener('scroll', this, true);
      this.#frame?.remove();
      this.#frame = undefined;
    }

    /** A fresh ticket begins anew. */
    attributeChangedCallback(_name, before, after) {
      if (this.#frame && before !== after) this.#open();
    }

    #open() {
      const [center, ticket, lang, label, scheme, hide, height] = names.map((name) =>
        this.getAttribute(name),
      );
      if (!center || !ticket || !this.isConnected) return;
      this.#heightKey = `sayso-height ${center} ${location.pathname}`;
      this.#pages = 0;
      this.#unsaved = false;
      const frame = document.createElement('iframe');
      frame.title = label ?? 'Preferences';
      const px = parseFloat(this.#lastHeight() ?? height);
      frame.style.cssText = `display:block;inline-size:100%;block-size:${px || 640}px;border:0;color:CanvasText`;
      this.#frame?.remove();
      this.#frame = this.appendChild(frame);
      this.#leastHeight = px ? 0 : this.#fill();
      const query = new URLSearchParams({ ticket, scheme: scheme ?? this.#scheme() });
      if (lang) query.set('lang', lang);
      if (hide !== null) query.set('hide', hide);
      frame.src = `${home}/embed/${encodeURIComponent(center)}?${query}`;
    }

    /** The site's storage may be closed. */
    #lastHeight(height) {
      try {
        if (height) localStorage[this.#heightKey] = height;
        return localStorage[this.#heightKey];
      } catch {}
    }

    /** The site's: one, or the one that its reader likes. */
    #scheme() {
      const { color, colorScheme } = getComputedStyle(this.#frame);
      const page = document.querySelector('meta[name=color-scheme]')?.content;
      if (/light dark|dark light/.test(colorScheme === 'normal' ? page : colorScheme)) return 'auto';
      return color === 'rgb(255, 255, 255)' ? 'dark' : 'light';
    }

    /** From what the site keeps at the upper edge of the window. */
    #top() {
      return this.#frame.getBoundingClientRect().top - parseFloat(getComputedStyle(this).scrollMarginTop);
    }

    handleEvent({ type, origin, source, data }) {
      const frame = this.#frame;
      if (type === 'message') {
        if (origin !== home || source !== frame?.contentWindow) return;
        const { sayso, height, reference, unsaved } = data ?? {};
        const detail = {};
        if (sayso === 'height' && Number.isInteger(height) && height > 0 && height < 100_000) {
          detail.height = Math.max(height, this.#leastHeight);
          frame.style.blockSize = `${detail.height}px`;
          if (this.#pages === 1) this.#lastHeight(height);
        } else if (sayso === 'unsaved') {
          detail.unsaved = this.#unsaved = unsaved === true;
        } else if (['ready', 'expired', 'error'].includes(sayso)) {
          if (typeof reference === 'string') detail.reference = reference;
          if (this.#pages++) this.#turn();
        } else if (sayso !== 'saved') return;
        this.dispatchEvent(new CustomEvent(`sayso-${sayso}`, { detail, bubbles: true }));
      }
      // Its bar stays where it is seen.
      if (this.#unsaved) frame.contentWindow.postMessage({ sayso: 'view', top: -this.#top() }, home);
    }

    /** Nobody knows yet how high it will be: what is below the frame waits below the window, and is not drawn up. */
    #fill() {
      // A window that is itself a frame may be as high as anything.
      const room = top === window ? Math.ceil(innerHeight - this.#top()) : 0;
      this.#frame.style.blockSize = `${Math.max(room, 640)}px`;
      return room;
    }

    /** The next page begins in sight, and draws up nothing that is below it. */
    #turn() {
      if (this.#top() < 0) this.scrollIntoView({ behavior: 'instant' });
      this.#leastHeight = Math.ceil(Math.min(this.#frame.offsetHeight, innerHeight - this.#top()));
    }
  }

  customElements.get('sayso-preferences') ?? customElements.define('sayso-preferences', Preferences);

  if (!script.dataset.center) return;
  const element = document.createElement('sayso-preferences');
  for (const name of names) {
    if (name in script.dataset) element.setAttribute(name, script.dataset[name]);
  }
  script.after(element);
})();
