import { expect } from 'chai';
import { AmbiguousNameError, NotFoundError } from '../../src/errors.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { resolveReference } from '../../src/questions/references.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

describe('a record that somebody names', () => {
  let mirror: Mirror;
  let remove: () => void;
  before(async () => {
    const demo = await createDemoMirror();
    mirror = openMirror(demo.db);
    remove = demo.remove;
  });
  after(() => {
    mirror.close();
    remove();
  });

  const key = (text: string) => {
    const { kind, key } = resolveReference(mirror, text);
    return `${kind} ${key}`;
  };

  it('is found by any id that was printed, in any case', () => {
    for (const text of ['src-an-scrutins', 'SRC-AN-SCRUTINS', 'source:Src-an-scrutins'])
      expect(key(text)).to.equal('source src-an-scrutins');
    expect(key('Oceane-Bruyevre')).to.equal('politician oceane-bruyevre');
  });

  it('is found by the address of its page, whoever serves it, and by its path alone', () => {
    for (const address of [
      'http://127.0.0.1:8000/politicians/oceane-bruyevre',
      '/politicians/oceane-bruyevre',
      '/api/v1/politicians/oceane-bruyevre',
    ])
      expect(key(address), address).to.equal('politician oceane-bruyevre');
    expect(key('/votes/AN/VAL1V7')).to.equal('ballot AN:VAL1V7');
    for (const address of ['/politicians/nobody', '/', 'http://', '/%'])
      expect(() => key(address), address).to.throw(NotFoundError);
  });

  it('is a ballot by its chamber and id, its chamber and number, or what alone says which it is', () => {
    for (const text of ['AN:VAL1V7', 'an:val1v7', 'val1v7', 'AN:7', 'an:7', 'ballot:AN:7', 'ballot:val1v7'])
      expect(key(text), text).to.equal('ballot AN:VAL1V7');
    expect(key('Sénat:2026-1')).to.equal('ballot Senat:2026-1');
  });

  it('is not chosen where several have that number: each is listed with its title', () => {
    const failure = (() => {
      try {
        return resolveReference(mirror, '7');
      } catch (error) {
        return error;
      }
    })();
    expect(failure).to.be.instanceOf(AmbiguousNameError);
    expect((failure as AmbiguousNameError).hint).to.match(/ballot:AN:VAL1V7 {2}20\d\d-\d\d-\d\d /);
  });

  it('is a person or a party by its name, of two that bear it none', () => {
    expect(key('Océane Bruyèvre')).to.equal('politician oceane-bruyevre');
    expect(key('Bruyevre')).to.equal('politician oceane-bruyevre');
    expect(() => resolveReference(mirror, 'Bruyèvres'))
      .to.throw(NotFoundError)
      .with.nested.property('suggestions[0].key', 'politician:oceane-bruyevre');
  });

  it('is looked for within the kind that was named', () => {
    expect(resolveReference(mirror, 'val1v7', kindOf('ballot')).key).to.equal('AN:VAL1V7');
    expect(resolveReference(mirror, 'Bruyèvre', kindOf('politician')).key, 'a name stays one').to.equal('Bruyèvre');
    expect(() => resolveReference(mirror, 'src-nowhere')).to.throw(NotFoundError);
  });
});
