import { expect } from 'chai';
import { budgetHost } from '../../src/sync/connect.ts';

describe('the budget of a service', () => {
  it('is one for all names of this machine, and for one name in any scheme', () => {
    const hosts = (...urls: string[]) => new Set(urls.map(budgetHost)).size;
    expect(hosts('http://127.0.0.1:8000/api', 'http://localhost:8000', 'https://[::1]:8000/x')).to.equal(1);
    expect(hosts('http://Service.example/api/v1', 'https://service.example', 'https://service.example./')).to.equal(1);
    expect(hosts('http://127.0.0.1:8000', 'http://127.0.0.1:8001', 'https://other.example')).to.equal(3);
  });
});
