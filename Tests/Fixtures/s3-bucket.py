"""Makes a user with a key, and a bucket, in the S3 server of the tests; prints a credentials file.

The server lets the first four requests pass without looking at who asks; from then on it compares
the signature of every request.
"""

import sys

import boto3

endpoint, bucket, region = sys.argv[1:]
session = boto3.session.Session("first", "four", region_name=region)
iam = session.client("iam", endpoint_url=endpoint)
iam.create_user(UserName="fresnel")
key = iam.create_access_key(UserName="fresnel")["AccessKey"]
iam.put_user_policy(
    UserName="fresnel",
    PolicyName="all",
    PolicyDocument='{"Version":"2012-10-17","Statement":'
    '[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}',
)
session.client("s3", endpoint_url=endpoint).create_bucket(
    Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region}
)
print("[default]")
print("aws_access_key_id =", key["AccessKeyId"])
print("aws_secret_access_key =", key["SecretAccessKey"])
