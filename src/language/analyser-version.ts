/** The version of every rule in this folder, stored in the mirror: a mirror that holds another number is reindexed. */
export const analyserVersion = 1;
