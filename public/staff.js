// Improvements of the staff pages only: each works without this file.

/** A button beside each id puts it where it can be pasted. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const word = button.firstElementChild;
  const before = word.textContent;
  // What is put into a live region is spoken, whatever the button says.
  word.setAttribute('aria-live', 'polite');
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    word.textContent = button.dataset.copied;
    setTimeout(() => {
      word.textContent = before;
    }, 2000);
  });
}

/** Moments in the reader's own zone, which the foot of the page names; a day stands above its first step. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const zone = document.querySelector('[data-zone]');
if (zone && timeZone !== 'UTC') {
  const words = (style) => new Intl.DateTimeFormat('en-GB', { ...style, timeZone });
  const day = words({ dateStyle: 'medium' });
  const time = words({ timeStyle: 'medium' });
  const both = words({ dateStyle: 'medium', timeStyle: 'medium' });
  let before;
  for (const moment of document.querySelectorAll('main time[datetime]')) {
    const heading = moment.closest('.step-day');
    const style = heading ? day : moment.matches('.time') ? time : both;
    moment.textContent = style.format(new Date(moment.dateTime));
    if (!heading) continue;
    heading.hidden = moment.textContent === before;
    before = moment.textContent;
  }
  zone.textContent = `${zone.dataset.zone}${timeZone}.`;
}

/** A new deadline is meant in the reader's own zone, unless they say otherwise. */
for (const zones of document.querySelectorAll('select[data-own-zone]')) {
  const option = [...zones.options].find(({ value }) => value === timeZone);
  if (option) option.selected = true;
}

/** A slash leads to the search, where it is not being typed; Escape closes what a button has opened. */
const search = document.querySelector('#search');
const popover = document.querySelector('details.popover');
document.addEventListener('keydown', (event) => {
  const isTyped = event.target.closest('input, textarea, select, [contenteditable]') !== null;
  if (event.key === '/' && search && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
    search.select();
  }
  if (event.key === 'Escape' && popover?.open) {
    popover.open = false;
    popover.querySelector('summary').focus();
  }
});

/** So does a press beside it. */
document.addEventListener('click', ({ target }) => {
  if (popover?.open && !popover.contains(target)) popover.open = false;
});
