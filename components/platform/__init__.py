"""The platform in a stack: charts are fetched before anything is made, then each component is a Helm release."""
