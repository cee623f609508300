/** A setting's value as it may be shown: the token never is. */
export function shownValue(key: string, value: string | null): string | null {
  return key === 'token' && value !== null ? '(set, not shown)' : value;
}
