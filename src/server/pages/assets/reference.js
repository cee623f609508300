// Shows the answer to a request of the API reference on its page; filters the list of operations. Pages work without.
const maxChars = 50_000;

/** Returns the answer as text, JSON indented; only its beginning if it is long, such as a whole dataset. */
async function beginningOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > maxChars) {
      await reader.cancel();
      return `${text.slice(0, maxChars)}…`;
    }
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const output of document.querySelectorAll('[data-answer]')) {
  const form = document.querySelector('form.reference');
  let request = new AbortController();
  const samples = [...document.querySelectorAll('pre[data-address]')];
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const query = new URLSearchParams(new FormData(form));
    output.textContent = '…';
    request.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      // With `try`, the server redirects to the address of the described operation.
      const response = await fetch(`${form.action}?${query}&try=1`, { signal });
      const address = response.url.replaceAll("'", '%27');
      for (const sample of samples) {
        sample.textContent = sample.textContent.replace(sample.dataset.address, address);
        sample.dataset.address = address;
      }
      const beginning = await beginningOf(response);
      output.textContent = `${response.status} ${response.statusText}\n\n${beginning}`;
    } catch {
      if (!signal.aborted) output.textContent = output.dataset.answer;
    }
  });
}

for (const list of document.querySelectorAll('nav[data-search]')) {
  const label = list.dataset.search;
  const field = Object.assign(document.createElement('input'), {
    type: 'search',
    placeholder: label,
    ariaLabel: label,
  });
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase();
    for (const item of list.querySelectorAll('li'))
      item.hidden = !`${item.textContent} ${item.title}`.toLowerCase().includes(words);
  });
  list.prepend(field);
}
