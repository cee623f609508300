// Shows what the search box finds, from the same interface that programs ask.
const form = document.querySelector('form');
const results = document.querySelector('#results');
const note = document.querySelector('#note');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const query = new FormData(form).get('q').trim();
  if (query === '') return;
  note.textContent = 'Searching…';
  results.replaceChildren();
  const parameters = new URLSearchParams({ q: query, limit: '20' });
  try {
    const response = await fetch(`/api/v1/search?${parameters}`);
    const answer = await response.json();
    show(response.ok ? answer : { items: [], total: 0, refusal: answer.detail });
  } catch {
    note.textContent = 'The server does not answer.';
  }
});

function show({ items, total, suggestions = [], refusal }) {
  const found = total === null ? 'More than can be counted; the best are shown.' : `${total} found.`;
  const near = suggestions.map((suggestion) => suggestion.full_name).join(', ');
  note.textContent = refusal ?? (near && items.length === 0 ? `Nothing found. Near: ${near}.` : found);
  results.replaceChildren(...items.map(resultOf));
}

function resultOf({ type, slug, title, snippet, date }) {
  const item = document.createElement('li');
  const place = { politician: 'politicians', party: 'parties' }[type];
  const name = document.createElement(place ? 'a' : 'span');
  if (place) name.href = `/api/v1/${place}/${encodeURIComponent(slug)}`;
  name.textContent = title;
  const about = document.createElement('div');
  about.className = 'soft';
  about.textContent = [type, date, snippet === title ? null : snippet].filter(Boolean).join(' · ');
  item.append(name, about);
  return item;
}
