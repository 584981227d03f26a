/** Whether code in a language, by its name or a short one, can be coloured. */
export declare function hasGrammar(language: string): boolean;

/**
 * Returns code as HTML, with a `span` of the class `hljs-...` around each word that has a colour.
 * @param language - One that has a grammar.
 */
export declare function colourCode(code: string, language: string): string;
