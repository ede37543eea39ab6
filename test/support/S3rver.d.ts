/** An S3-compatible server, as far as the tests use it. */
declare module "@20minutes/s3rver" {
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly allowMismatchedSignatures: boolean
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }
}
