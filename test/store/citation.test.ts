import { expect } from 'chai';
import { attributionOf, defaultServiceName, webAddress } from '../../src/model/attribution.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import {
  type CitationSettings,
  citationOf,
  isAddressAssumed,
  saveCitedService,
} from '../../src/store/records/contents.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const nothing = { name: null, siteUrl: null };
const unset: CitationSettings = { citation: nothing, baseUrl: null };
const vitrine = { name: 'Vitrine', siteUrl: 'https://vitrine.example/fr' };

describe('who is cited for a mirror', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
  });
  afterEach(() => own.remove());
  const cited = (settings = unset, from: 'mirror' | 'service' = 'mirror') => citationOf(settings, own.mirror, from);

  it('is, where nothing is known, a name alone, and nothing is linked', () => {
    expect(cited()).to.deep.equal({ name: defaultServiceName, siteUrl: null });
    expect(isAddressAssumed(unset, own.mirror)).to.equal(false);
    expect(attributionOf(cited()).text).to.equal(`Source: ${defaultServiceName}; free for non-commercial use`);
  });

  it('is at the origin that it was synced from, as an assumption', () => {
    saveCitedService(own.mirror, 'https://data.vitrine.example:8443/api/v1', null);
    expect(cited().siteUrl).to.equal('https://data.vitrine.example:8443');
    expect(isAddressAssumed(unset, own.mirror)).to.equal(true);
  });

  it('is at the origin of the user’s service where it came from files', () => {
    const settings = { ...unset, baseUrl: 'https://service.example/api/v1' };
    expect(cited(settings).siteUrl).to.equal('https://service.example');
    expect(isAddressAssumed(settings, own.mirror)).to.equal(true);
  });

  it('is no service that was asked in vain', () => {
    saveMeta(own.mirror, 'base_url', 'http://127.0.0.1:1/api/v1');
    expect(cited().siteUrl).to.equal(null);
    own.mirror.sql("INSERT INTO kind_state (kind, origin) VALUES ('party', 'https://old.example/api/v1')").run();
    saveMeta(own.mirror, 'base_url', 'https://old.example/api/v1');
    expect(cited().siteUrl, 'a mirror of an older program').to.equal('https://old.example');
  });

  it('is who was stated when it was synced, and stays so when nothing is stated', () => {
    saveCitedService(own.mirror, 'https://service.example/api/v1', vitrine);
    saveCitedService(own.mirror, 'https://service.example/api/v1', nothing);
    expect(cited()).to.deep.equal(vitrine);
    expect(isAddressAssumed(unset, own.mirror)).to.equal(false);
  });

  it('is who the user states, name and address each by itself', () => {
    saveCitedService(own.mirror, 'https://service.example/api/v1', vitrine);
    const namedSettings = { ...unset, citation: { name: 'Mine', siteUrl: null } };
    expect(cited(namedSettings)).to.deep.equal({ name: 'Mine', siteUrl: vitrine.siteUrl });
    const placed = { ...unset, citation: { name: null, siteUrl: 'https://mine.example' } };
    expect(cited(placed)).to.deep.equal({ name: 'Vitrine', siteUrl: 'https://mine.example' });
  });

  it('is another once another service is synced', () => {
    saveCitedService(own.mirror, 'https://service.example/api/v1', vitrine);
    saveCitedService(own.mirror, 'https://other.example/api/v1', nothing);
    expect(cited()).to.deep.equal({ name: defaultServiceName, siteUrl: 'https://other.example' });
  });

  it('is, for an answer of another service, that service', () => {
    saveCitedService(own.mirror, 'https://service.example/api/v1', vitrine);
    const settings = { ...unset, baseUrl: 'https://other.example/api/v1' };
    expect(cited(settings)).to.deep.equal(vitrine);
    expect(cited(settings, 'service').siteUrl).to.equal('https://other.example');
    expect(cited({ ...settings, baseUrl: 'https://service.example/api/v1' }, 'service')).to.deep.equal(vitrine);
  });

  it('is at no address that a foreign file makes up', () => {
    saveMeta(own.mirror, 'base_url', 'file:///etc/passwd');
    saveMeta(own.mirror, 'site_url', 'javascript:alert(1)');
    expect(cited().siteUrl).to.equal(null);
  });
});

describe('an address of the web', () => {
  for (const [written, address] of [
    ['https://service.example', 'https://service.example'],
    ['https://service.example/', 'https://service.example/'],
    ['https://service.example/fr/', 'https://service.example/fr/'],
    ['https://service.example/députés?q=é', 'https://service.example/d%C3%A9put%C3%A9s?q=%C3%A9'],
    ['https://service.example/d%C3%A9put%C3%A9s', 'https://service.example/d%C3%A9put%C3%A9s'],
    ['https://députés.example', 'https://xn--dputs-bsad.example'],
  ] as const)
    it(`is encoded once: ${written}`, () => {
      expect(webAddress(written)).to.equal(address);
      expect(webAddress(address)).to.equal(address);
    });

  for (const written of ['', 'service.example', 'ftp://service.example', 'https://me:secret@service.example'])
    it(`is not ${written === '' ? 'nothing' : written}`, () => {
      expect(webAddress(written)).to.equal(null);
    });
});
