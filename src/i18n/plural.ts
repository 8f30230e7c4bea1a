/** A text with a count in it, by the categories that the language has (Intl.PluralRules); `other` always. */
export type Plural = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;
