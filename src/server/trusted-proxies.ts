import { isIP } from 'node:net';
import { UsageError } from '../errors.ts';

/** Addresses and networks (CIDR) of proxies, from a list with commas; throws UsageError for what is neither. */
export function parseProxies(list: string): string[] {
  const proxies = list.split(',').map((proxy) => proxy.trim());
  for (const proxy of proxies) {
    const [address = '', bits, ...more] = proxy.split('/');
    const family = isIP(address);
    const isNetwork =
      bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family !== 0 && isNetwork && more.length === 0) continue;
    throw new UsageError(
      `--trust-proxy: "${proxy}" is not an address or a network`,
      'name the proxies that pass requests on, for example --trust-proxy 127.0.0.1,10.0.0.0/8',
    );
  }
  return proxies;
}
