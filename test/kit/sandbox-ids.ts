/** Centers of the sandbox's own folder. */
export const books = 'b00c5000-0000-4000-8000-000000000001';
export const bank = 'ba4c0000-0000-4000-8000-000000000001';

/** Purposes of `books`. */
export const newBooks = 'b00c5000-0000-4001-8000-000000000001';
export const orders = 'b00c5000-0000-4001-8000-000000000006';
export const card = 'b00c5000-0000-4001-8000-000000000009';
