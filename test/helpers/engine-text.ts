/** What JavaScript and libraries say of their own code, and no message may hand on. */
export const engineText =
  /Cannot (read|set|convert)|undefined|is not (iterable|a function|valid JSON)|Unexpected (token|end|non)|in JSON at|Invalid (array|typed|time|array buffer)|RangeError|TypeError|DataView|outside the bounds|allocation failed|call stack|BigInt|parquet (file|metadata|unsupported)|thrift|snappy|lz4|incorrect header check|unexpected end of file|encoded data was not valid/;
