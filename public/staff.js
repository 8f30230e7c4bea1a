// Improvements of the staff pages: each page works without this file.

/** A button beside each id copies it. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const word = button.firstElementChild;
  const before = word.textContent;
  // A live region is spoken when its text changes.
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

/** Shows times in the reader's time zone, and names it at the foot; equal days in a row appear once. */
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

/** A new deadline starts with the reader's own time zone. */
for (const zones of document.querySelectorAll('select[data-own-zone]')) {
  const option = [...zones.options].find(({ value }) => value === timeZone);
  if (option) option.selected = true;
}

/** A slash outside of fields moves the focus to the search; Escape closes an open popover. */
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

/** A click outside of an open popover closes it, too. */
document.addEventListener('click', ({ target }) => {
  if (popover?.open && !popover.contains(target)) popover.open = false;
});
