// Searches a static site. The index consists of scripts, since a page opened from a file can load nothing else.
const resultsPerStep = 12;
const recordsPerChunk = 50; // as in `site-index.ts`
const results = document.querySelector('#found');
const input = document.querySelector('#q');
const waitMs = 200;
const loadedFiles = new Map();
const callbacks = new Map();

globalThis.hemicycleIndex = (fileKind, name, value) => callbacks.get(`${fileKind} ${name}`)?.(value);

input.value = new URLSearchParams(location.search).get('q') ?? '';
let latestWords = [];
let timer;
input.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(search, waitMs);
});
search();

async function search() {
  const words = [...new Set(wordsOf(input.value))];
  latestWords = words;
  if (words.length === 0) return results.replaceChildren();
  const { starts, often: frequentWords } = await load('starts', '');
  const indexedWords = words.filter((word) => !frequentWords.includes(word));
  const postingLists = await Promise.all(indexedWords.map((word) => postingsOf(word, starts)));
  const [shortest = new Map(), ...otherLists] = postingLists.sort((a, b) => a.size - b.size);
  const matches = [...shortest.keys()].filter((number) => otherLists.every((each) => each.has(number)));
  const countOutsideTitle = (number) => postingLists.reduce((sum, each) => sum + each.get(number), 0);
  const ranked = matches.map((number) => ({ number, rank: countOutsideTitle(number) }));
  ranked.sort((a, b) => a.rank - b.rank || a.number - b.number);
  // The user has typed another query meanwhile.
  if (latestWords !== words) return;
  await showResults(ranked, 0);
  if (indexedWords.length < words.length) results.firstChild.textContent += ` · ${results.dataset.often}`;
}

/** Returns the numbers of records with the word or prefix; the value is 1 if the title lacks it, else 0. */
async function postingsOf(word, starts) {
  // `starts` has the first word of each file; indexed words begin with `_`.
  const fileOf = (text) => starts.findLastIndex((first) => first.slice(1) <= text);
  const from = Math.max(0, fileOf(word));
  const last = fileOf(`${word}~`);
  // Search short words, and those whose continuations fill many files, only as whole words.
  const isWholeWord = word.length < 4 || last - from > 3;
  const postings = new Map();
  for (let file = from; file <= (isWholeWord ? from : last); file += 1)
    for (const [each, deltas] of Object.entries(await load('words', String(file))))
      if (isWholeWord ? each === `_${word}` : each.startsWith(`_${word}`)) addPostings(deltas, postings);
  return postings;
}

/** Decodes deltas in base 36 of twice the record number, plus 1 if the title lacks the word. */
function addPostings(deltas, postings) {
  let code = 0;
  for (const delta of deltas.split(' ')) {
    code += Number.parseInt(delta, 36);
    const number = Math.floor(code / 2);
    postings.set(number, Math.min(postings.get(number) ?? 1, code % 2));
  }
}

async function titleOf({ number }) {
  const titles = await load('titles', String(Math.floor(number / recordsPerChunk)));
  return titles[number % recordsPerChunk];
}

/** Loads a file of the index once; its script passes the content to `hemicycleIndex`. */
function load(fileKind, name) {
  const file = { words: `search/w-${name}.js`, titles: `search/r-${name}.js`, starts: 'search/starts.js' }[fileKind];
  if (loadedFiles.has(file)) return loadedFiles.get(file);
  const loading = new Promise((resolve, reject) => {
    callbacks.set(`${fileKind} ${name}`, resolve);
    document.head.append(element('script', { src: file, onerror: () => reject(new Error(file)) }));
  });
  loadedFiles.set(file, loading);
  return loading;
}

async function showResults(ranked, from) {
  const { none, more, all } = results.dataset;
  const count = ranked.length;
  const next = from + resultsPerStep;
  const items = (await Promise.all(ranked.slice(from, next).map(titleOf))).map(itemOf);
  const countLine = element('p', { textContent: count === 0 ? none : `${all} ${count}` });
  if (from === 0) results.replaceChildren(countLine, element('ul', { className: 'items' }));
  results.querySelector('ul').append(...items);
  results.querySelector('button')?.remove();
  const onclick = () => showResults(ranked, next);
  if (next < count) results.append(element('button', { textContent: more, onclick }));
}

function itemOf([title, file, kind, date]) {
  const [path, anchor] = file.split('#');
  const href = path.split('/').map(encodeURIComponent).join('/') + (anchor ? `#${anchor}` : '');
  const name = `kind${kind[0].toUpperCase()}${kind.slice(1)}`;
  const about = [results.dataset[name] ?? kind, date].filter(Boolean).join(' · ');
  const head = element('h2', {}, element('a', { href, textContent: title, lang: 'fr' }));
  return element('li', { className: 'item' }, head, element('p', { className: 'meta', textContent: about }));
}

function element(name, properties, ...inside) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...inside);
  return node;
}

/** Returns the folded words of a text, as `wordsOf` of `site-index.ts` does. */
function wordsOf(text) {
  const letters = text.toLowerCase().normalize('NFD').replaceAll('œ', 'oe').replaceAll('æ', 'ae');
  return letters.replaceAll(/\p{M}+/gu, '').match(/[a-z0-9]{2,}/g) ?? [];
}
