const voidTags = new Set(['meta', 'br', 'hr', 'img', 'input', 'link']);

/** The tags of a document, each closed as HTML requires; throws an Error that names the first one that is not. */
export function tagsOf(document: string): string[] {
  const open: string[] = [];
  const tags: string[] = [];
  for (const [, slash, name, attributes] of document
    .replace(/<style>.*?<\/style>/s, '')
    .matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*\/?>/g)) {
    if (slash === '/') {
      const last = open.pop();
      if (last !== name) throw new Error(`</${name}> closes <${last}>`);
      continue;
    }
    tags.push(`${name}${attributes}`);
    if (!voidTags.has(name!)) open.push(name!);
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`);
  return tags;
}

/** The text of a document between its tags, with entities read. */
export function textOfHtml(document: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
  return document
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name]!);
}
