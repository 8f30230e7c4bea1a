/** A text with a count, in the plural forms of its language (Intl.PluralRules); `other` is always there. */
export type Plural = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;
