// <script src="https://…/embed.js" data-center="…" data-ticket="…"></script>, or <sayso-preferences center ticket>.
// Events on the element, which bubble: sayso-ready, -saved, -height, -expired, -error.
(() => {
  const script = document.currentScript;
  const home = new URL(script.src).origin;

  class Preferences extends HTMLElement {
    static observedAttributes = ['center', 'ticket', 'lang'];
    #frame;

    connectedCallback() {
      addEventListener('message', this);
      this.#open();
    }

    disconnectedCallback() {
      removeEventListener('message', this);
      this.#frame?.remove();
      this.#frame = undefined;
    }

    /** A fresh ticket begins anew. */
    attributeChangedCallback(_name, before, after) {
      if (this.#frame && before !== after) this.#open();
    }

    #open() {
      const center = this.getAttribute('center');
      const ticket = this.getAttribute('ticket');
      if (!center || !ticket) return;
      const query = new URLSearchParams({ ticket });
      if (this.lang) query.set('lang', this.lang);
      const frame = document.createElement('iframe');
      frame.title = this.getAttribute('label') ?? 'Preferences';
      frame.style.cssText = 'display:block;inline-size:100%;block-size:40rem;border:0';
      frame.src = `${home}/embed/${encodeURIComponent(center)}?${query}`;
      this.#frame?.remove();
      this.#frame = this.appendChild(frame);
    }

    handleEvent({ origin, source, data }) {
      if (origin !== home || !this.#frame || source !== this.#frame.contentWindow) return;
      const { sayso, ...detail } = data ?? {};
      if (!['ready', 'saved', 'height', 'expired', 'error'].includes(sayso)) return;
      if (sayso === 'height') this.#frame.style.blockSize = `${Number(detail.height)}px`;
      this.dispatchEvent(new CustomEvent(`sayso-${sayso}`, { detail, bubbles: true }));
    }
  }

  customElements.get('sayso-preferences') ?? customElements.define('sayso-preferences', Preferences);

  const { center, ticket, lang, label } = script.dataset;
  if (!center) return;
  const element = document.createElement('sayso-preferences');
  for (const [name, value] of Object.entries({ center, ticket, lang, label })) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  script.after(element);
})();
