export interface Random {
  /** URL-safe text of at least 128 random bits. */
  id(): string;
}
