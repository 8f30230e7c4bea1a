// Lists the events of the preference center, and gives an expired view a new ticket.
const heard = document.getElementById('heard');

for (const name of ['ready', 'unsaved', 'saved', 'height', 'expired', 'error']) {
  document.addEventListener(`sayso-${name}`, ({ type, detail }) => {
    const line = document.createElement('li');
    line.textContent = [type, ...Object.values(detail)].join(' ');
    heard.append(line);
  });
}

// One new ticket for each view: a ticket that expires on arrival means that two clocks differ.
let wasReady = true;
document.addEventListener('sayso-ready', () => {
  wasReady = true;
});

document.addEventListener('sayso-expired', async ({ target }) => {
  if (!wasReady) return;
  wasReady = false;
  const answer = await fetch(`/ticket${location.search}`);
  if (answer.ok) target.setAttribute('ticket', (await answer.json()).ticket);
});
