// Searches a static site. The index is cut into scripts, since a page opened from a file may load nothing else.
const most = 50;
const shown = document.querySelector('#found');
const asked = new URLSearchParams(location.search).get('q') ?? '';
const loaded = new Map();
const waiting = new Map();

globalThis.hemicycleIndex = (what, name, value) => waiting.get(`${what} ${name}`)?.(value);

document.querySelector('#q').value = asked;
if (asked.trim() !== '') search(wordsOf(asked));

async function search(words) {
  const starts = await load('starts', '');
  const lists = await Promise.all(words.map((word) => numbersOf(word, starts)));
  const [first = new Set(), ...others] = lists.sort((a, b) => a.size - b.size);
  const found = [...first].filter((number) => others.every((each) => each.has(number))).sort((a, b) => a - b);
  tell(await Promise.all(found.slice(0, most).map(titleOf)), found.length);
}

/** Numbers of records whose titles contain a word with this prefix. */
async function numbersOf(word, starts) {
  const shards = starts.filter((each) => each.startsWith(word.slice(0, 2)));
  const numbers = new Set();
  for (const start of shards)
    for (const [each, steps] of Object.entries(await load('words', start)))
      if (each.startsWith(word)) for (const number of summed(steps)) numbers.add(number);
  return numbers;
}

/** Decodes delta-encoded numbers. */
function summed(steps) {
  let at = 0;
  return steps.map((step) => {
    at += step;
    return at;
  });
}

async function titleOf(number) {
  const titles = await load('titles', String(Math.floor(number / 250)));
  return titles[number % 250];
}

function load(what, name) {
  const file = { words: `search/w-${name}.js`, titles: `search/r-${name}.js`, starts: 'search/starts.js' }[
    what
  ];
  const known = loaded.get(file);
  if (known) return known;
  const loading = new Promise((resolve, reject) => {
    waiting.set(`${what} ${name}`, resolve);
    const script = document.createElement('script');
    script.src = file;
    script.onerror = () => reject(new Error(file));
    document.head.append(script);
  });
  loaded.set(file, loading);
  return loading;
}

function tell(found, count) {
  const { none, shown: first } = shown.dataset;
  const told = document.createElement('p');
  told.textContent = count === 0 ? none : count > most ? `${first}: ${most} / ${count}` : String(count);
  const list = document.createElement('ul');
  list.className = 'items';
  for (const [title, file, kind, date] of found) {
    const item = document.createElement('li');
    item.className = 'item';
    const link = document.createElement('a');
    link.href = file.split('/').map(encodeURIComponent).join('/');
    link.textContent = title;
    link.lang = 'fr';
    const meta = document.createElement('p');
    meta.className = 'meta';
    const name = `kind${kind[0].toUpperCase()}${kind.slice(1)}`;
    meta.textContent = [shown.dataset[name] ?? kind, date].filter(Boolean).join(' · ');
    const head = document.createElement('h2');
    head.append(link);
    item.append(head, meta);
    list.append(item);
  }
  shown.replaceChildren(told, ...(found.length > 0 ? [list] : []));
}

/** Words folded like those of the index. */
function wordsOf(text) {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
  return plain.match(/[a-z0-9]{2,}/g) ?? [];
}
