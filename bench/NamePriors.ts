import type { Weights } from "../src/extraction/models/RankingWeights.ts"

/**
 * What was known of the names of sellers before anything was learned, in log-odds. Generated documents are
 * many and alike, so that the fit is held close to it: only what they show clearly changes a weight.
 */
export const namePriors: Readonly<Record<string, Weights>> = {
  seller: {
    bias: -2.4,
    features: {
      form: 2.8,
      innerForm: 2.2,
      inDomain: 2,
      printedAgain: 1,
      digits: -1.2,
      punctuation: -2.4,
      endsColon: -3,
      sentence: -1.5,
      smallFirst: -1,
      manyWords: -1.2,
      street: -1,
      country: -2,
      top: 2,
      upper: 1.2,
      laterPage: -0.8,
      large: 1.4,
      firstRow: 0.6,
      amongMany: -2,
      ownLabel: 2.6,
      otherSeller: -0.4,
      rivalLabel: -4,
      inCustomer: -0.3,
      senderLine: 1.6,
      wholeName: 1.6,
      shortName: -0.8,
      firstOfBlock: 0.5,
      addressBelow: 0.5,
      registrationBelow: 0.5
    }
  },
  // Ten times the fractions that the rules had before.
  merchant: {
    bias: 0,
    features: {
      row: -1.4,
      large: 1.4,
      form: 3,
      formBelowShop: -2.5,
      shop: 1,
      owner: -3,
      noName: -4.5,
      startsWithNumber: -2,
      town: -3,
      short: -3,
      fewLetters: -2.5,
      labelled: 3
    }
  }
}

/** How strongly the fit of names is held to what was known. */
export const nameRidge = 40
